#!/bin/sh
# develop.sh <render.png> <photo.jpg>: what a phone does to its sensor's picture: noise smoothed, some left, corners
# darker, lights a little softer. Upright pictures are stored lying, with the turn in EXIF.
set -eu
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
ffmpeg -v error -y -i "$1" -vf "format=yuv444p,nlmeans=s=6:p=5:r=11,scale=trunc(iw*sqrt(1500000/iw/ih)/2)*2:-2:flags=lanczos,vignette=angle=PI/7,curves=master='0/0.012 0.25/0.235 0.75/0.765 1/0.99',noise=c0_seed=7:c0_strength=8:c1_strength=3:c2_strength=3:all_flags=p" "$work/graded.png"
cd "$(dirname "$0")" && node --input-type=module - "$work/graded.png" "$2" <<'JS'
import { stat } from 'node:fs/promises'
import sharp from 'sharp'
const [from, to] = process.argv.slice(2)
const { width, height } = await sharp(from).metadata()
const lying = height > width ? sharp(from).rotate(-90) : sharp(from)
for (let quality = 84; quality > 60; quality -= 3) {
  await lying.clone().jpeg({ quality, mozjpeg: true }).withMetadata({ orientation: height > width ? 6 : 1 }).toFile(to)
  if ((await stat(to)).size <= 250_000) break
}
JS
