"""What stands on the tables and hangs in the trees: meshes, materials and lights for Blender, sized in metres."""
import math
import random

import bpy
from mathutils import Vector

TURN = 2 * math.pi
dice = random.Random(1)


def some(low, high):
    return dice.uniform(low, high)


# ---- materials ----

made = {}


def material(name, build):
    """A material of this name, built once a picture."""
    if name not in made:
        made[name] = bpy.data.materials.new(name)
        made[name].use_nodes = True
        nodes, links = made[name].node_tree.nodes, made[name].node_tree.links
        build(made[name], nodes, links, nodes['Principled BSDF'])
    return made[name]


def plain(name, colour, roughness=0.5, bump=0.0, scale=40.0, **inputs):
    """One colour, never quite even: noise in its roughness, its shade and its height."""
    def build(_, nodes, links, surface):
        surface.inputs['Roughness'].default_value = roughness
        for key, value in inputs.items():
            surface.inputs[key.replace('_', ' ').title().replace('Ior', 'IOR')].default_value = value
        noise = add(nodes, 'ShaderNodeTexNoise', Scale=scale, Detail=6.0)
        at = add(nodes, 'ShaderNodeTexCoord')
        links.new(at.outputs['Object'], noise.inputs['Vector'])
        ramp = colours(nodes, [(0.3, shade(colour, 0.8)), (0.7, shade(colour, 1.1))])
        links.new(noise.outputs['Fac'], ramp.inputs['Fac'])
        links.new(ramp.outputs['Color'], surface.inputs['Base Color'])
        if bump:
            links.new(raised(nodes, links, noise.outputs['Fac'], bump), surface.inputs['Normal'])
    return material(name, build)


def wood(name, light=(0.36, 0.2, 0.1), dark=(0.1, 0.05, 0.025), roughness=0.45):
    """Boards: each of another tone, the grain along x."""
    def build(_, nodes, links, surface):
        at, info = add(nodes, 'ShaderNodeTexCoord'), add(nodes, 'ShaderNodeObjectInfo')
        moved = add(nodes, 'ShaderNodeVectorMath')
        links.new(at.outputs['Object'], moved.inputs[0])
        links.new(info.outputs['Random'], moved.inputs[1])
        stretched = add(nodes, 'ShaderNodeMapping')
        stretched.inputs['Scale'].default_value = (1.2, 26, 26)
        links.new(moved.outputs['Vector'], stretched.inputs['Vector'])
        grain = add(nodes, 'ShaderNodeTexNoise', Scale=2.0, Detail=9.0, Roughness=0.65, Distortion=0.6)
        links.new(stretched.outputs['Vector'], grain.inputs['Vector'])
        ramp = colours(nodes, [(0.32, dark), (0.62, light), (0.75, shade(light, 0.7))])
        links.new(grain.outputs['Fac'], ramp.inputs['Fac'])
        tone = add(nodes, 'ShaderNodeHueSaturation')
        between = add(nodes, 'ShaderNodeMapRange')
        between.inputs['To Min'].default_value, between.inputs['To Max'].default_value = 0.65, 1.15
        links.new(info.outputs['Random'], between.inputs['Value'])
        links.new(between.outputs['Result'], tone.inputs['Value'])
        links.new(ramp.outputs['Color'], tone.inputs['Color'])
        links.new(tone.outputs['Color'], surface.inputs['Base Color'])
        worn = add(nodes, 'ShaderNodeTexNoise', Scale=5.0, Detail=4.0)
        links.new(at.outputs['Object'], worn.inputs['Vector'])
        shine = add(nodes, 'ShaderNodeMapRange')
        shine.inputs['To Min'].default_value, shine.inputs['To Max'].default_value = roughness - 0.2, roughness + 0.25
        links.new(worn.outputs['Fac'], shine.inputs['Value'])
        links.new(shine.outputs['Result'], surface.inputs['Roughness'])
        links.new(raised(nodes, links, grain.outputs['Fac'], 0.25), surface.inputs['Normal'])
    return material(name, build)


def glass(name='glass', colour=(1, 1, 1), ior=1.45, roughness=0.0):
    """Glass that lets light through to what it stands on, which costs no caustics."""
    def build(_, nodes, links, surface):
        clear = add(nodes, 'ShaderNodeBsdfGlass', IOR=ior, Roughness=roughness)
        clear.inputs['Color'].default_value = (*colour, 1)
        through = add(nodes, 'ShaderNodeBsdfTransparent')
        through.inputs['Color'].default_value = (*shade(colour, 0.85), 1)
        mix, path = add(nodes, 'ShaderNodeMixShader'), add(nodes, 'ShaderNodeLightPath')
        either = add(nodes, 'ShaderNodeMath')
        either.operation = 'MAXIMUM'
        links.new(path.outputs['Is Shadow Ray'], either.inputs[0])
        links.new(path.outputs['Is Diffuse Ray'], either.inputs[1])
        links.new(either.outputs[0], mix.inputs['Fac'])
        links.new(clear.outputs[0], mix.inputs[1])
        links.new(through.outputs[0], mix.inputs[2])
        links.new(mix.outputs[0], nodes['Material Output'].inputs['Surface'])
        nodes.remove(surface)
    return material(name, build)


def glowing(name, colour, strength):
    def build(_, nodes, links, surface):
        light = add(nodes, 'ShaderNodeEmission', Strength=strength)
        light.inputs['Color'].default_value = (*colour, 1)
        links.new(light.outputs[0], nodes['Material Output'].inputs['Surface'])
        nodes.remove(surface)
    return material(name, build)


def along_height(name, stops, strength, clear=None):
    """Light whose colour goes by height, from bottom to top; `clear` says how see-through it is, likewise."""
    def build(_, nodes, links, surface):
        at, parts = add(nodes, 'ShaderNodeTexCoord'), add(nodes, 'ShaderNodeSeparateXYZ')
        links.new(at.outputs['Generated'], parts.inputs[0])
        ramp = colours(nodes, stops)
        links.new(parts.outputs['Z'], ramp.inputs['Fac'])
        light = add(nodes, 'ShaderNodeEmission', Strength=strength)
        links.new(ramp.outputs['Color'], light.inputs['Color'])
        result = light
        if clear:
            result = add(nodes, 'ShaderNodeMixShader')
            fading = colours(nodes, [(place, (value,) * 3) for place, value in clear])
            links.new(parts.outputs['Z'], fading.inputs['Fac'])
            links.new(fading.outputs['Color'], result.inputs['Fac'])
            links.new(light.outputs[0], result.inputs[1])
            links.new(add(nodes, 'ShaderNodeBsdfTransparent').outputs[0], result.inputs[2])
        links.new(result.outputs[0], nodes['Material Output'].inputs['Surface'])
        nodes.remove(surface)
    return material(name, build)


def translucent(name, colour, share=0.5):
    """Cloth, leaves and petals: the light behind them is seen."""
    def build(_, nodes, links, surface):
        info = add(nodes, 'ShaderNodeObjectInfo')
        surface.inputs['Base Color'].default_value = (*colour, 1)
        surface.inputs['Roughness'].default_value = 0.6
        surface.inputs['Specular'].default_value = 0.25
        through, mix = add(nodes, 'ShaderNodeBsdfTranslucent'), add(nodes, 'ShaderNodeMixShader', Fac=share)
        through.inputs['Color'].default_value = (*colour, 1)
        links.new(surface.outputs[0], mix.inputs[1])
        links.new(through.outputs[0], mix.inputs[2])
        links.new(mix.outputs[0], nodes['Material Output'].inputs['Surface'])
        nodes.remove(info)
    return material(name, build)


def add(nodes, kind, **values):
    node = nodes.new(kind)
    for key, value in values.items():
        node.inputs[key].default_value = value
    return node


def colours(nodes, stops):
    ramp = nodes.new('ShaderNodeValToRGB')
    for at, (place, colour) in enumerate(stops):
        stop = ramp.color_ramp.elements[at] if at < 2 else ramp.color_ramp.elements.new(place)
        stop.position, stop.color = place, (*colour, 1)
    return ramp


def raised(nodes, links, height, strength, distance=0.01):
    bump = add(nodes, 'ShaderNodeBump', Strength=strength, Distance=distance)
    links.new(height, bump.inputs['Height'])
    return bump.outputs['Normal']


def shade(colour, factor):
    return tuple(min(1, part * factor) for part in colour)


# ---- forms ----

def form(name, points, faces, of, smooth=True):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.update()
    if smooth:
        mesh.polygons.foreach_set('use_smooth', [True] * len(mesh.polygons))
    return placed(name, mesh, of)


def placed(name, data, of=None):
    thing = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(thing)
    if of:
        data.materials.append(of)
    return thing


def turned(name, profile, of, segments=48, wobble=0.0):
    """What a lathe makes of a profile of (radius, height)."""
    points, faces = [], []
    for radius, height in profile:
        for at in range(segments):
            angle = at / segments * TURN
            out = radius * (1 + some(-wobble, wobble))
            points.append((out * math.cos(angle), out * math.sin(angle), height))
    for ring in range(len(profile) - 1):
        for at in range(segments):
            a, b = ring * segments + at, ring * segments + (at + 1) % segments
            faces.append((a, b, b + segments, a + segments))
    return form(name, points, faces, of)


def rounded(thing, levels=1):
    thing.modifiers.new('rounded', 'SUBSURF').render_levels = levels
    return thing


def rough(thing, strength, size):
    """Bends a form by noise."""
    texture = bpy.data.textures.new('noise', 'CLOUDS')
    texture.noise_scale = size
    push = thing.modifiers.new('rough', 'DISPLACE')
    push.texture, push.strength, push.texture_coords = texture, strength, 'GLOBAL'
    return thing


def ball(name, radius, of, at=(0, 0, 0), segments=24):
    rings = segments // 2
    profile = [(radius * math.sin(i / rings * math.pi), -radius * math.cos(i / rings * math.pi)) for i in range(rings + 1)]
    return moved(turned(name, profile, of, segments), at)


def box(name, size, of, at=(0, 0, 0), bevel=0.004):
    x, y, z = (side / 2 for side in size)
    points = [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    thing = moved(form(name, points, faces, of, smooth=False), at)
    if bevel:
        edge = thing.modifiers.new('bevel', 'BEVEL')
        edge.width, edge.segments = bevel, 2
    return thing


def tube(name, points, radius, of, thin_end=False):
    curve = bpy.data.curves.new(name, 'CURVE')
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution = '3D', radius, 3
    line = curve.splines.new('POLY')
    line.points.add(len(points) - 1)
    for at, point in enumerate(points):
        line.points[at].co = (*point, 1)
        if thin_end:
            line.points[at].radius = 1 - 0.9 * at / (len(points) - 1)
    return placed(name, curve, of)


def moved(thing, at, turn=0.0, tilt=(0.0, 0.0), scale=1.0):
    thing.location = at
    thing.rotation_euler = (tilt[0], tilt[1], turn)
    thing.scale = (scale,) * 3
    return thing


def grouped(things, at, turn=0.0, tilt=(0.0, 0.0), scale=1.0):
    """Things that were made around the origin, put elsewhere as one."""
    hand = placed('group', None)
    for thing in things:
        thing.parent = hand
    return moved(hand, at, turn, tilt, scale)


def copied(thing, at, turn=0.0, tilt=(0.0, 0.0), scale=1.0):
    twin = thing.copy()
    bpy.context.collection.objects.link(twin)
    return moved(twin, at, turn, tilt, scale)


def unlit(thing):
    """Seen, but no light to others: a lamp beside it gives the light without noise."""
    thing.visible_diffuse = False
    thing.visible_shadow = False
    return thing


# ---- lights ----

def lamp(at, watts, colour=(1, 0.62, 0.28), radius=0.03):
    light = bpy.data.lights.new('lamp', 'POINT')
    light.energy, light.color, light.shadow_soft_size = watts, colour, radius
    thing = moved(placed('lamp', light), at)
    thing.visible_camera = thing.visible_glossy = thing.visible_transmission = False
    return thing


def panel(at, towards, watts, colour, size):
    light = bpy.data.lights.new('panel', 'AREA')
    light.energy, light.color, light.size = watts, colour, size
    thing = moved(placed('panel', light), at)
    thing.rotation_euler = (Vector(towards) - Vector(at)).to_track_quat('-Z', 'Y').to_euler()
    thing.visible_camera = False
    return thing


def sun(elevation, azimuth, strength, colour=(1, 0.8, 0.55), size=0.01):
    light = bpy.data.lights.new('sun', 'SUN')
    light.energy, light.color, light.angle = strength, colour, size
    thing = placed('sun', light)
    thing.rotation_euler = (math.pi / 2 - elevation, 0, azimuth + math.pi / 2)
    return thing


def sky(stops, strength=1.0):
    """The sky as a gradient from horizon (0) to zenith (1), with thin cloud in it."""
    world = bpy.data.worlds.new('sky')
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    at, parts = add(nodes, 'ShaderNodeTexCoord'), add(nodes, 'ShaderNodeSeparateXYZ')
    links.new(at.outputs['Generated'], parts.inputs[0])
    streaks, wide = add(nodes, 'ShaderNodeTexNoise', Scale=2.2, Detail=7.0, Roughness=0.6), add(nodes, 'ShaderNodeMapping')
    wide.inputs['Scale'].default_value = (1, 1, 7)
    links.new(at.outputs['Generated'], wide.inputs['Vector'])
    links.new(wide.outputs['Vector'], streaks.inputs['Vector'])
    lifted = add(nodes, 'ShaderNodeMath')
    lifted.operation = 'MULTIPLY_ADD'
    lifted.inputs[1].default_value = 0.16
    links.new(streaks.outputs['Fac'], lifted.inputs[0])
    down = add(nodes, 'ShaderNodeMath')
    down.operation = 'ADD'
    down.inputs[1].default_value = -0.08
    links.new(parts.outputs['Z'], down.inputs[0])
    links.new(down.outputs[0], lifted.inputs[2])
    ramp = colours(nodes, stops)
    links.new(lifted.outputs[0], ramp.inputs['Fac'])
    links.new(ramp.outputs['Color'], nodes['Background'].inputs['Color'])
    nodes['Background'].inputs['Strength'].default_value = strength


def daylight(elevation, azimuth, strength=0.12, sun_too=True):
    world = bpy.data.worlds.new('sky')
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    air = nodes.new('ShaderNodeTexSky')
    air.sky_type, air.sun_elevation, air.sun_rotation, air.sun_disc = 'NISHITA', elevation, azimuth, sun_too
    air.sun_size = math.radians(1.2)
    air.dust_density = 2.5
    links.new(air.outputs[0], nodes['Background'].inputs['Color'])
    nodes['Background'].inputs['Strength'].default_value = strength


def blurred_lights(number, low, high, tones=((1, 0.4, 0.1), (1, 0.55, 0.22), (1, 0.3, 0.07)), radius=(0.05, 0.12), strength=2.0):
    """Far lights, large and dim enough that a lens out of focus draws them without noise."""
    for at in range(number):
        tone = at % len(tones)
        point = [some(a, b) for a, b in zip(low, high)]
        unlit(ball('far', some(*radius), glowing(f'far {tone} {at % 4}', tones[tone], strength * (0.5 + at % 4 * 0.35)), point, 16))


# ---- tableware ----

def wine_glass(wine=None, full=0.5):
    outer = [(0.0, 0.0), (0.034, 0.0), (0.0355, 0.0015), (0.02, 0.005), (0.006, 0.009), (0.004, 0.02), (0.0036, 0.075), (0.006, 0.088),
             (0.024, 0.103), (0.037, 0.13), (0.0405, 0.155), (0.038, 0.185), (0.034, 0.215)]
    inner = [(0.0332, 0.2155), (0.0325, 0.215), (0.0368, 0.185), (0.0393, 0.155), (0.0358, 0.131), (0.0226, 0.1055), (0.0, 0.099)]
    things = [rounded(turned('wine glass', outer + inner, glass()))]
    if wine:
        top = 0.131 + full * 0.05
        side = 0.0358 + (0.0393 - 0.0358) * min(1, (top - 0.131) / 0.024)
        drink = [(0.0, 0.0985), (0.0228, 0.105), (0.036, 0.131), (side + 0.0002, top), (side - 0.002, top - 0.0008), (0.0, top - 0.001)]
        things.append(turned('wine', drink, glass(f'wine {wine}', wine, 1.34)))
    return things


def tumbler(drink=None, full=0.6, foam=False):
    tall, wide = 0.12, 0.036
    outer = [(0.0, 0.0), (wide - 0.006, 0.0), (wide - 0.004, 0.002), (wide - 0.003, 0.02), (wide, tall)]
    inner = [(wide - 0.001, tall + 0.0006), (wide - 0.002, tall), (wide - 0.005, 0.02), (wide - 0.007, 0.012), (0.0, 0.011)]
    things = [turned('tumbler', outer + inner, glass())]
    if drink:
        top = 0.02 + full * 0.09
        side = wide - 0.0048 + 0.003 * full
        profile = [(0.0, 0.0108), (wide - 0.0068, 0.0118), (wide - 0.0048, 0.02), (side, top), (0.0, top)]
        things.append(turned('drink', profile, glass(f'drink {drink}', drink, 1.34)))
        if foam:
            cap = [(0.0, top), (side, top), (side + 0.0003, top + 0.012), (side - 0.004, top + 0.016), (0.0, top + 0.015)]
            things.append(rough(turned('foam', cap, plain('foam', (0.9, 0.86, 0.76), 0.7, 0.5, 300.0, subsurface=0.3)), 0.003, 0.01))
    return things


def bottle(colour=(0.25, 0.5, 0.2), label=(0.85, 0.8, 0.68)):
    outer = [(0.0, 0.003), (0.03, 0.0), (0.0365, 0.004), (0.0375, 0.02), (0.0375, 0.18), (0.034, 0.205), (0.02, 0.235), (0.0145, 0.26),
             (0.0138, 0.3), (0.0155, 0.303), (0.0155, 0.312), (0.0138, 0.315)]
    inner = [(0.0115, 0.315), (0.0112, 0.26), (0.0168, 0.235), (0.031, 0.205), (0.0345, 0.18), (0.0345, 0.02), (0.0, 0.012)]
    paper = [(0.0378, 0.055), (0.0378, 0.135)]
    return [rounded(turned('bottle', outer + inner, glass(f'bottle {colour}', colour, 1.5))),
            turned('label', paper, plain(f'label {label}', label, 0.7, 0.1, 90.0))]


def plate(radius=0.13):
    profile = [(0.0, 0.004), (radius * 0.6, 0.004), (radius * 0.68, 0.008), (radius, 0.02), (radius + 0.002, 0.022), (radius - 0.001, 0.0235),
               (radius * 0.68, 0.011), (radius * 0.6, 0.0075), (0.0, 0.007)]
    return [rounded(turned('plate', profile, plain('porcelain', (0.78, 0.76, 0.72), 0.22, 0.02, 25.0)))]


def flame(height=0.04):
    profile = [(0.0, 0.0), (0.12, 0.05), (0.2, 0.2), (0.21, 0.32), (0.17, 0.5), (0.1, 0.72), (0.04, 0.9), (0.0, 1.0)]
    stops = [(0.0, (0.1, 0.12, 0.5)), (0.14, (0.9, 0.35, 0.08)), (0.4, (1, 0.72, 0.32)), (0.8, (1, 0.6, 0.2)), (1.0, (1, 0.3, 0.05))]
    fire = along_height('flame', stops, 28, [(0.0, 0.85), (0.3, 0.25), (0.75, 0.1), (1.0, 0.7)])
    thing = rounded(turned('flame', [(radius * height, z * height) for radius, z in profile], fire, 16))
    thing.rotation_euler = (some(-0.1, 0.1), some(-0.1, 0.1), 0)
    return unlit(thing)


def candle(height=0.16, radius=0.011, colour=(0.85, 0.78, 0.62), lit=True, watts=1.2):
    wax = plain(f'wax {colour}', colour, 0.4, 0.06, 60.0, subsurface=0.25, subsurface_radius=(0.02, 0.012, 0.006))
    melted = [(0.0, height - 0.006), (radius * 0.7, height - 0.004), (radius * 0.93, height)]
    things = [turned('candle', [(0.0, 0.0), (radius * 1.04, 0.0), (radius, height - 0.002), *reversed(melted)], wax, 24, 0.012),
              tube('wick', [(0, 0, height - 0.006), (0.001, 0, height + 0.004), (0.003, 0.001, height + 0.009)], 0.0007, plain('wick', (0.02, 0.015, 0.01), 0.9))]
    for _ in range(3 if radius < 0.02 else 5):
        angle, long = some(0, TURN), some(0.02, 0.3) * height
        x, y = radius * math.cos(angle), radius * math.sin(angle)
        things.append(tube('drip', [(x * 0.95, y * 0.95, height), (x * 1.03, y * 1.03, height - long * 0.5), (x * 1.04, y * 1.04, height - long)], radius * 0.14, wax))
    if lit:
        fire = flame(0.034 if radius < 0.02 else 0.04)
        fire.location.z = height + 0.003
        light = lamp((0, 0, height + 0.028), watts, radius=0.014)
        things += [fire, light]
    return things


def lit_jar(watts=0.9):
    outer = [(0.0, 0.0), (0.036, 0.0), (0.041, 0.005), (0.042, 0.07), (0.036, 0.085), (0.035, 0.1), (0.037, 0.102)]
    inner = [(0.034, 0.102), (0.033, 0.086), (0.039, 0.07), (0.038, 0.008), (0.0, 0.006)]
    wax = plain('tea light', (0.9, 0.86, 0.78), 0.4, 0.03, 60.0, subsurface=0.6, subsurface_radius=(0.02, 0.012, 0.006))
    fire = flame(0.026)
    fire.location.z = 0.027
    return [rounded(turned('jar', outer + inner, glass('jar', (0.93, 0.98, 0.96)))),
            turned('tea light', [(0.0, 0.0065), (0.019, 0.0065), (0.019, 0.022), (0.017, 0.02), (0.0, 0.0195)], wax), fire, lamp((0, 0, 0.06), watts, radius=0.014)]


def napkin(colour=(0.75, 0.7, 0.62), size=0.2):
    steps = 24
    points = [((x / steps - 0.5) * size, (y / steps - 0.5) * size, 0.003) for x in range(steps + 1) for y in range(steps + 1)]
    faces = [(a, a + 1, a + steps + 2, a + steps + 1) for x in range(steps) for y in range(steps) for a in [x * (steps + 1) + y]]
    thing = rounded(rough(form('napkin', points, faces, plain(f'linen {colour}', colour, 0.9, 0.3, 900.0)), 0.025, 0.06))
    thing.location.z = 0.004
    return [thing]


def fork():
    steel = plain('steel', (0.6, 0.58, 0.55), 0.22, 0.02, 80.0, metallic=1.0)
    handle = tube('handle', [(0, -0.1, 0.004), (0, -0.03, 0.005), (0, 0.03, 0.009), (0, 0.055, 0.006)], 0.0035, steel)
    tines = [tube('tine', [(0, 0.05, 0.006), (x, 0.06, 0.005), (x, 0.1, 0.009)], 0.0014, steel) for x in (-0.009, -0.003, 0.003, 0.009)]
    return [handle, *tines]


def flower(kind):
    """A blossom around the origin, looking up."""
    if kind == 'daisy':
        petals, tone, heart, reach = 17, (0.85, 0.83, 0.78), (0.8, 0.42, 0.03), 0.02
    elif kind == 'cosmos':
        petals, tone, heart, reach = 8, (0.72, 0.16, 0.34), (0.75, 0.5, 0.05), 0.028
    else:
        petals, tone, heart, reach = 26, (0.85, 0.32, 0.12), (0.3, 0.12, 0.03), 0.022
    points, faces = [], []
    for at in range(petals):
        angle, long, lift = at / petals * TURN + some(-0.08, 0.08), reach * some(0.85, 1.1), some(-0.15, 0.35)
        half = 2.1 * reach / petals * (1.5 if petals < 10 else 1)
        for along, wide in ((0.12, 0.4), (0.45, 1.0), (0.8, 1.0), (1.0, 0.35)):
            for side in (-1, 1):
                r, s = along * long, side * half * wide
                points.append((r * math.cos(angle) - s * math.sin(angle), r * math.sin(angle) + s * math.cos(angle), lift * r * (1 - 0.5 * along) + 0.002 * (at % 2)))
        base = at * 8
        faces += [(base + i, base + i + 2, base + i + 3, base + i + 1) for i in (0, 2, 4)]
    heart_profile = [(0.0, -0.002), (reach * 0.28, 0.0), (reach * 0.26, 0.003), (reach * 0.15, 0.006), (0.0, 0.007)]
    return [rounded(form(kind, points, faces, translucent(f'petal {kind}', tone, 0.4))),
            turned('heart', heart_profile, plain(f'heart {kind}', heart, 0.9, 0.9, 700.0))]


def bunch(kinds, number=9, tall=0.2, spread=0.09):
    """Flowers and green in a glass of water."""
    outer = [(0.0, 0.0), (0.034, 0.0), (0.038, 0.006), (0.038, 0.085), (0.031, 0.1), (0.031, 0.118)]
    inner = [(0.029, 0.118), (0.029, 0.1), (0.036, 0.084), (0.036, 0.008), (0.0, 0.006)]
    things = [rounded(turned('vase', outer + inner, glass('jar', (0.93, 0.98, 0.96)))),
              turned('water', [(0.0, 0.0058), (0.0358, 0.0078), (0.0358, 0.07), (0.0, 0.07)], glass('water', (0.95, 1, 0.97), 1.33))]
    green = translucent('stem', (0.1, 0.22, 0.05), 0.25)
    for at in range(number):
        angle, out, up = some(0, TURN), spread * math.sqrt(some(0.05, 1)), tall * some(0.85, 1.25)
        x, y = out * math.cos(angle), out * math.sin(angle)
        things.append(tube('stem', [(-x * 0.2, -y * 0.2, 0.01), (x * 0.15, y * 0.15, 0.1), (x * 0.6, y * 0.6, up * 0.75), (x, y, up)], 0.0011, green))
        things.append(grouped(flower(kinds[at % len(kinds)]), (x, y, up), some(0, TURN), (some(-0.4, 0.4) - y * 6, some(-0.4, 0.4) + x * 6), some(0.8, 1.2)))
    for _ in range(number * 2):
        angle, out, up = some(0, TURN), spread * some(0.3, 1), tall * some(0.55, 0.95)
        things.append(leaf((out * math.cos(angle), out * math.sin(angle), up), some(0.025, 0.05), green))
    return things


def leaf(at, long, of):
    points = [(0, 0, 0), (long * 0.4, -long * 0.2, long * 0.05), (long * 0.4, long * 0.2, long * 0.05), (long * 0.45, 0, 0), (long, 0, -long * 0.15)]
    return moved(form('leaf', points, [(0, 1, 3), (0, 3, 2), (1, 4, 3), (3, 4, 2)], of), at, some(0, TURN), (some(-0.6, 0.6), some(-0.6, 0.6)))


# ---- garden ----

def boards(length, width, number, of, at=(0, 0, 0), thick=0.035):
    """Boards along x, with gaps, none quite level; their top is at z."""
    each = width / number
    for board in range(number):
        y = at[1] - width / 2 + (board + 0.5) * each
        thing = box('board', (length, each - 0.006, thick), of, (at[0], y, at[2] - thick / 2 + some(-0.001, 0.001)), 0.003)
        thing.rotation_euler = (some(-0.004, 0.004), some(-0.0005, 0.0005), some(-0.001, 0.001))


def hanging(start, end, sag, steps=40):
    a, b = Vector(start), Vector(end)
    return [a.lerp(b, t) - Vector((0, 0, sag * 4 * t * (1 - t))) for t in (i / steps for i in range(steps + 1))]


def string_lights(start, end, sag, number, near=False, watts=0.0, lamps_each=3, strength=14):
    """Bulbs on a cable; near ones have a filament in clear glass."""
    line = hanging(start, end, sag)
    dark = plain('cable', (0.012, 0.012, 0.012), 0.5)
    tube('cable', line, 0.004, dark)
    for at in range(number):
        place = line[int((at + 0.5) / number * 40)]
        swing = (some(-0.25, 0.25), some(-0.25, 0.25))
        socket = turned('socket', [(0.0, -0.012), (0.014, -0.012), (0.016, -0.02), (0.016, -0.06), (0.0, -0.06)], dark, 20)
        things = [socket]
        if near:
            bulb = [(0.013, -0.055), (0.014, -0.065), (0.024, -0.09), (0.03, -0.112), (0.028, -0.13), (0.017, -0.145), (0.0, -0.15)]
            things.append(rounded(turned('bulb', bulb, glass('bulb', (1, 0.97, 0.9), 1.05), 32)))
            loops = [(0.011 * math.cos(i * 1.9), 0.011 * math.sin(i * 1.9), -0.085 - 0.035 * abs(math.sin(i * 1.1))) for i in range(12)]
            things.append(unlit(tube('filament', loops, 0.0011, glowing('filament', (1, 0.55, 0.18), 190))))
        else:
            shape = [(0.0, -0.05), (0.016, -0.06), (0.032, -0.09), (0.033, -0.11), (0.02, -0.135), (0.0, -0.14)]
            things.append(unlit(rounded(turned('bulb', shape, glowing('bulb lit', (1, 0.6, 0.25), strength), 20))))
        grouped(things, place, 0, swing)
        if watts and at % lamps_each == 0:
            lamp(place - Vector((0, 0, 0.1)), watts, radius=0.035)


def foliage(low, high, number, size=(0.05, 0.12), colour=(0.05, 0.1, 0.03), name='foliage'):
    """A hedge's or a tree's leaves, in clumps within a box."""
    points, faces = [], []
    clumps = [[some(a, b) for a, b in zip(low, high)] for _ in range(max(6, number // 350))]
    for _ in range(number):
        centre = dice.choice(clumps)
        away = Vector((dice.gauss(0, 1), dice.gauss(0, 1), dice.gauss(0, 0.8))) * 0.35
        one, other = Vector((dice.gauss(0, 1), dice.gauss(0, 1), dice.gauss(0, 1))).normalized(), Vector((dice.gauss(0, 1), dice.gauss(0, 1), dice.gauss(0, 1))).normalized()
        long, start, place = some(*size), len(points), Vector(centre) + away
        points += [place - one * long / 2, place + other * long / 4, place + one * long / 2, place - other * long / 4]
        faces.append((start, start + 1, start + 2, start + 3))
    return form(name, points, faces, translucent(f'leaves {colour}', colour, 0.45))


def grass(x, y, number, tall=(0.08, 0.2), colour=(0.1, 0.2, 0.035), ground=lambda _x, _y: 0):
    points, faces = [], []
    for _ in range(number):
        a, b, up, angle = some(*x), some(*y), some(*tall), some(0, TURN)
        half, lean, z = some(0.0015, 0.0035), some(0.1, 0.7) * up, ground(0, 0)
        dx, dy, start = math.cos(angle), math.sin(angle), len(points)
        points += [(a - dy * half, b + dx * half, z), (a + dy * half, b - dx * half, z),
                   (a + dx * lean * 0.35 - dy * half * 0.8, b + dy * lean * 0.35 + dx * half * 0.8, z + up * 0.6),
                   (a + dx * lean * 0.35 + dy * half * 0.8, b + dy * lean * 0.35 - dx * half * 0.8, z + up * 0.6),
                   (a + dx * lean, b + dy * lean, z + up)]
        faces += [(start, start + 1, start + 3, start + 2), (start + 2, start + 3, start + 4)]
    return form('grass', points, faces, translucent(f'blade {colour}', colour, 0.4))


def ground(size=60.0, colour=(0.05, 0.07, 0.025), z=0.0):
    h = size / 2
    return form('ground', [(-h, -h, z), (h, -h, z), (h, h, z), (-h, h, z)], [(0, 1, 2, 3)], plain(f'ground {colour}', colour, 0.9, 0.6, 6.0))


def bunting(start, end, sag, number, tones):
    line = hanging(start, end, sag)
    tube('cord', line, 0.003, plain('cord', (0.7, 0.66, 0.58), 0.9))
    for at in range(number):
        t = (at + 0.5) / number * 40
        place, ahead = line[int(t)], line[min(40, int(t) + 1)] - line[int(t)]
        half, long, wave = some(0.085, 0.1), some(0.22, 0.26), some(-0.05, 0.05)
        points, faces, steps = [], [], 6
        for i in range(steps + 1):
            down, wide = i / steps, half * (1 - i / steps * 0.98)
            for side in (-1, 0, 1):
                bend = wave * math.sin(down * 3) + (0.012 if side else -0.012) * math.sin(down * 5 + at)
                points.append((side * wide, bend, -down * long))
        for i in range(steps):
            for side in (0, 1):
                a = i * 3 + side
                faces.append((a, a + 1, a + 4, a + 3))
        flag = rounded(form('flag', points, faces, translucent(f'cloth {at % len(tones)}', tones[at % len(tones)], 0.45)))
        moved(flag, place, math.atan2(ahead.y, ahead.x), (some(-0.25, 0.25), -math.atan2(ahead.z, math.hypot(ahead.x, ahead.y))))


def paper_lantern(at, radius, colour=(1, 0.55, 0.22), strength=1.2, watts=0.0, tilt=(0.0, 0.0)):
    """A round one, on wire ribs, lit from within."""
    rings = 44
    profile = []
    for i in range(rings + 1):
        angle = 0.16 + (math.pi - 0.32) * i / rings
        profile.append((radius * math.sin(angle) * (1 - 0.022 * (i % 4 == 0)), -radius * 0.94 * math.cos(angle)))
    def build(_, nodes, links, surface):
        surface.inputs['Base Color'].default_value = (*shade(colour, 0.8), 1)
        surface.inputs['Roughness'].default_value = 0.8
        facing = add(nodes, 'ShaderNodeLayerWeight', Blend=0.35)
        crumpled = add(nodes, 'ShaderNodeTexNoise', Scale=9.0, Detail=5.0)
        mixed = add(nodes, 'ShaderNodeMath')
        mixed.operation = 'MULTIPLY_ADD'
        mixed.inputs[1].default_value = 0.35
        links.new(crumpled.outputs['Fac'], mixed.inputs[0])
        links.new(facing.outputs['Facing'], mixed.inputs[2])
        ramp = colours(nodes, [(0.12, shade((1, colour[1] * 1.35, colour[2] * 1.7), 1)), (0.5, colour), (1.0, shade((colour[0], colour[1] * 0.6, colour[2] * 0.4), 0.55))])
        links.new(mixed.outputs[0], ramp.inputs['Fac'])
        links.new(ramp.outputs['Color'], surface.inputs['Emission'])
        surface.inputs['Emission Strength'].default_value = strength
        links.new(raised(nodes, links, crumpled.outputs['Fac'], 0.2), surface.inputs['Normal'])
    skin = turned('lantern', profile, material(f'paper {colour} {strength}', build), 64)
    skin.visible_shadow = False
    rim = [tube('rim', [(radius * 0.17 * math.cos(i / 20 * TURN), radius * 0.17 * math.sin(i / 20 * TURN), side * radius * 0.93) for i in range(21)], radius * 0.012, plain('cable', (0.012, 0.012, 0.012), 0.5)) for side in (-1, 1)]
    grouped([skin, *rim], at, some(0, TURN), tilt)
    if watts:
        lamp(at, watts, colour, radius * 0.7)


def water_lantern(at, size=0.2, turn=0.0, watts=0.0, strength=6.0):
    """A paper box with a candle in it, on a wooden float."""
    half, tall = size / 2, size * some(1.2, 1.4)
    points, faces = [], []
    corners = 4
    steps = 8
    for i in range(steps + 1):
        up = i / steps
        for c in range(corners * 6):
            angle = c / (corners * 6) * TURN
            square = half / max(abs(math.cos(angle)), abs(math.sin(angle)))
            out = square * (1 - 0.06 * math.sin(up * 3.1)) + some(-0.002, 0.002)
            points.append((out * math.cos(angle), out * math.sin(angle), 0.02 + up * tall))
    round_ = corners * 6
    for i in range(steps):
        for c in range(round_):
            a, b = i * round_ + c, i * round_ + (c + 1) % round_
            faces.append((a, b, b + round_, a + round_))
    stops = [(0.0, (0.9, 0.2, 0.03)), (0.12, (1, 0.42, 0.1)), (0.32, (1, 0.66, 0.28)), (0.6, (1, 0.46, 0.13)), (1.0, (0.55, 0.13, 0.03))]
    skin = form('water lantern', points, faces, along_height(f'lit paper {strength}', stops, strength), smooth=False)
    skin.visible_shadow = False
    float_ = box('float', (size * 1.25, size * 1.25, 0.03), plain('float', (0.09, 0.05, 0.03), 0.7), (0, 0, 0.012))
    grouped([skin, float_], at, turn, (some(-0.05, 0.05), some(-0.05, 0.05)))
    if watts:
        lamp((at[0], at[1], at[2] + tall * 0.5), watts, (1, 0.5, 0.18), half)


def water(size=400.0, colour=(0.006, 0.011, 0.018), wave=0.25, scale=1.0):
    h = size / 2
    def build(_, nodes, links, surface):
        surface.inputs['Base Color'].default_value = (*colour, 1)
        surface.inputs['Roughness'].default_value = 0.04
        surface.inputs['IOR'].default_value = 1.33
        at, height = add(nodes, 'ShaderNodeTexCoord'), None
        for wide, high in ((0.7, 1.0), (2.6, 0.5), (9.0, 0.16)):
            stretched = add(nodes, 'ShaderNodeMapping')
            stretched.inputs['Scale'].default_value = (wide * scale, wide * scale * 1.7, 1)
            links.new(at.outputs['Object'], stretched.inputs['Vector'])
            noise = add(nodes, 'ShaderNodeTexNoise', Scale=1.0, Detail=3.0, Distortion=0.4)
            links.new(stretched.outputs['Vector'], noise.inputs['Vector'])
            scaled = add(nodes, 'ShaderNodeMath')
            scaled.operation = 'MULTIPLY_ADD'
            scaled.inputs[1].default_value = high
            links.new(noise.outputs['Fac'], scaled.inputs[0])
            if height:
                links.new(height, scaled.inputs[2])
            else:
                scaled.inputs[2].default_value = 0
            height = scaled.outputs[0]
        links.new(raised(nodes, links, height, wave, 0.1), surface.inputs['Normal'])
    return form('water', [(-h, -h, 0), (h, -h, 0), (h, h, 0), (-h, h, 0)], [(0, 1, 2, 3)], material('water surface', build))


def ridge(distance, height, colour, wide=400.0, trees=0.0):
    """A line of hills across y, with a wood's edge on it."""
    steps = 900
    phases = [some(0, 9) for _ in range(6)]
    points = []
    for i in range(steps + 1):
        x = (i / steps - 0.5) * wide
        wave = sum(math.sin(phases[n] + x / wide * (5, 9, 17, 31, 60, 110)[n]) * (1, 0.6, 0.3, 0.12, 0.06, 0.03)[n] for n in range(6))
        points += [(x, distance, -1), (x, distance, height * (0.6 + 0.3 * wave) + some(0, trees))]
    faces = [(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1) for i in range(steps)]
    return form('ridge', points, faces, glowing(f'hills {colour}', colour, 1.0), smooth=False)


# ---- the picture ----

def camera(at, towards, lens=26.0, f=1.8, focus=None, roll=0.0):
    """A phone's main lens has about 26 mm; its portrait mode blurs as a large lens would."""
    data = bpy.data.cameras.new('camera')
    data.lens = lens
    thing = moved(placed('camera', data), at)
    thing.rotation_euler = (Vector(towards) - Vector(at)).to_track_quat('-Z', 'Y').to_euler()
    thing.rotation_euler.rotate_axis('Z', roll)
    data.clip_start, data.clip_end = 0.01, 2000
    data.dof.use_dof = True
    data.dof.aperture_fstop = f
    data.dof.focus_distance = (Vector(focus or towards) - Vector(at)).length
    bpy.context.scene.camera = thing
