#!/bin/sh
# demo/scenes/render.sh [name…]: renders the photos anew, all or those named, into demo/photos.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
raw=${RAW:-$(mktemp -d)}
[ $# -gt 0 ] || set -- $(sed -n "s/^@shot('\([a-z-]*\)'.*/\1/p" "$here/scenes.py")
for name in "$@"; do
  nice -n 19 blender -b --python "$here/render.py" -- "$raw" "$name"
  sh "$here/develop.sh" "$raw/$name.png" "$here/../photos/$name.jpg"
done
