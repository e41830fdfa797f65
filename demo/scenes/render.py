"""`blender -b --python demo/scenes/render.py -- <folder> <name> [percent] [samples]`: one picture as a 16-bit PNG."""
import os
import sys

import bpy

sys.path.insert(0, os.path.dirname(__file__))
folder, name, *rest = sys.argv[sys.argv.index('--') + 1:]
# `develop.sh` enlarges to the whole size: a lens is no sharper, and the grain is drawn after that.
percent = int(rest[0]) if rest else 50

bpy.ops.wm.read_factory_settings(use_empty=True)
import objects  # noqa: E402
import scenes  # noqa: E402

shot = scenes.shots[name]
objects.dice.seed(shot['seed'])
scene = bpy.context.scene
scene.render.engine = 'CYCLES'
shot['scene']()

width, height = shot['size']
scene.render.resolution_x, scene.render.resolution_y = width, height
scene.render.resolution_percentage = percent
scene.render.threads_mode, scene.render.threads = 'FIXED', 1
cycles = scene.cycles
cycles.samples = int(rest[1]) if len(rest) > 1 else shot.get('samples', 22)
cycles.seed = shot['seed']
cycles.use_denoising = False
cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.05, 8
cycles.sample_clamp_direct, cycles.sample_clamp_indirect = 0, 2
cycles.caustics_reflective = cycles.caustics_refractive = False
cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces, cycles.transmission_bounces = 10, 3, 4, 10
cycles.transparent_max_bounces = 24
cycles.blur_glossy = 1.0

view = scene.view_settings
view.view_transform, view.look = 'Filmic', shot.get('look', 'Medium High Contrast')
view.exposure = shot.get('exposure', 0)

# What a lens does to lights: a glow around them.
scene.use_nodes = True
tree = scene.node_tree
tree.nodes.clear()
layers, out = tree.nodes.new('CompositorNodeRLayers'), tree.nodes.new('CompositorNodeComposite')
glow = tree.nodes.new('CompositorNodeGlare')
glow.glare_type, glow.quality, glow.threshold, glow.size = 'FOG_GLOW', 'HIGH', 1.5, 7
glow.mix = shot.get('glow', -0.75)
tree.links.new(layers.outputs['Image'], glow.inputs['Image'])
tree.links.new(glow.outputs['Image'], out.inputs['Image'])

scene.render.image_settings.file_format, scene.render.image_settings.color_depth = 'PNG', '16'
scene.render.filepath = os.path.join(os.path.abspath(folder), f'{name}.png')
bpy.ops.render.render(write_still=True)
