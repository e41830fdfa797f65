"""The evening's pictures: what is in each, from where it is seen, and in which light."""
import math

from objects import (TURN, ball, blurred_lights, boards, bottle, box, bunch, bunting, camera, candle, colours, copied, daylight, flower,
                     foliage, fork, form, glass, glowing, grass, ground, grouped, hanging, lamp, lit_jar, material, moved, napkin, panel,
                     paper_lantern, plain, plate, ridge, rough, rounded, sky, some, string_lights, sun, translucent, tube, tumbler, turned,
                     unlit, water, water_lantern, wine_glass, wood)

dusk = [(0.0, (0.5, 0.2, 0.09)), (0.08, (0.34, 0.17, 0.14)), (0.25, (0.1, 0.1, 0.17)), (1.0, (0.012, 0.025, 0.07))]
night = [(0.0, (0.05, 0.035, 0.05)), (0.12, (0.02, 0.022, 0.045)), (1.0, (0.003, 0.005, 0.014))]
afterglow = [(0.0, (1.0, 0.36, 0.09)), (0.07, (0.9, 0.3, 0.14)), (0.18, (0.45, 0.2, 0.24)), (0.4, (0.12, 0.14, 0.3)), (1.0, (0.02, 0.04, 0.12))]
white, rose, red, beer = (0.97, 0.88, 0.55), (0.97, 0.5, 0.4), (0.4, 0.02, 0.035), (1.0, 0.74, 0.26)
cloth = [(0.62, 0.07, 0.05), (0.75, 0.5, 0.1), (0.72, 0.68, 0.58), (0.06, 0.22, 0.32), (0.2, 0.32, 0.12)]

shots = {}


def shot(name, size, seed, **values):
    def keep(scene):
        shots[name] = {'size': size, 'seed': seed, 'scene': scene, **values}
        return scene
    return keep


wide, upright, square, tall, cinema = (1440, 1080), (1080, 1440), (1200, 1200), (900, 1600), (1600, 900)


# ---- the long table ----

def laid_table(lit=True, drinks=True, length=4.6):
    boards(length, 0.92, 6, wood('table'), (0, 0, 0.75))
    for seat in range(int(length / 0.55)):
        for side in (-1, 1):
            x, y = -length / 2 + 0.35 + seat * 0.55 + some(-0.05, 0.05), side * some(0.28, 0.31)
            grouped(plate(), (x, y, 0.75), some(0, TURN))
            if some(0, 1) < 0.8:
                grouped(napkin(cloth[2] if some(0, 1) < 0.7 else (0.3, 0.36, 0.4), 0.15), (x + some(-0.02, 0.02), y, 0.772), some(0, 3))
            grouped(fork(), (x - 0.17, y, 0.75), some(-0.2, 0.2) + (math.pi if side > 0 else 0))
            wine = [white, rose, red, None][int(some(0, 4))] if drinks else None
            if some(0, 1) < 0.75:
                grouped(wine_glass(wine, some(0.3, 0.9)), (x + some(0.1, 0.16), y - side * some(0.1, 0.15), 0.75), some(0, TURN))
            else:
                grouped(tumbler(beer if drinks else None, some(0.4, 0.9), True), (x + some(0.1, 0.16), y - side * some(0.1, 0.15), 0.75))
    for at in range(int(length / 0.4)):
        x, y = -length / 2 + 0.3 + at * 0.4 + some(-0.08, 0.08), some(-0.07, 0.07)
        kind = at % 4
        if kind == 0:
            grouped(bunch(['daisy', 'cosmos', 'aster'], 10), (x, y, 0.75), some(0, TURN), scale=some(0.85, 1.05))
        elif kind == 2:
            grouped(bottle(), (x, y, 0.75), some(0, TURN))
        elif kind == 1:
            grouped(candle(some(0.1, 0.24), lit=lit, watts=1.6), (x, y, 0.77), some(0, TURN))
            grouped([turned('stand', [(0, 0), (0.04, 0), (0.042, 0.004), (0.012, 0.012), (0.014, 0.026), (0.0, 0.022)], plain('brass', (0.5, 0.33, 0.12), 0.3, metallic=1.0), 32)], (x, y, 0.75))
        else:
            grouped(lit_jar(0.9 if lit else 0), (x, y, 0.75), some(0, TURN))


def garden_at_dusk(watts=60, stops=dusk, strength=0.5, near=False):
    """Trees around, bulbs above; the bulbs' light comes from one soft panel, which costs no noise."""
    sky(stops, strength)
    ground(80, (0.05, 0.08, 0.025))
    for x, y in ((-7, 5), (-3, 7), (0, 9), (2, 6.5), (6, 5), (9, 3), (11, 0), (-9, -1), (8, -4), (-6, -6)):
        foliage((x - 2, y - 1, 0.2), (x + 2, y + 1, some(2.2, 4.2)), 5200, (0.09, 0.2), (0.07, 0.13, 0.035))
        rough(rounded(ball('bush', 1.3, plain('bush', (0.1, 0.15, 0.06), 0.9, 0.8, 9), (x, y, 0.5), 16), 2), 0.8, 0.5)
    for y in (-1.5, 0.1, 1.7):
        string_lights((-5, y - 0.3, 2.75), (5, y + 0.2, 2.7), 0.4, 13, near)
    panel((0.3, 0.2, 2.9), (0, 0, 0), watts, (1, 0.6, 0.3), 2.6)


@shot('long-table', wide, 11, exposure=0.3, samples=32)
def _():
    garden_at_dusk()
    laid_table()
    camera((-2.5, -0.42, 1.16), (0.3, 0.1, 0.93), 30, 0.55, (-1.5, -0.08, 0.85), 0.012)


@shot('flowers', upright, 31, exposure=0.4, samples=32)
def _():
    garden_at_dusk(45, strength=0.8)
    boards(2.4, 0.9, 6, wood('table'), (0, 0, 0.75))
    grouped(bunch(['daisy', 'cosmos', 'aster'], 16, 0.2, 0.09), (0, 0, 0.75))
    grouped(bunch(['daisy', 'aster'], 9, 0.15, 0.06), (0.35, 0.28, 0.75))
    grouped(lit_jar(1.4), (-0.17, 0.1, 0.75))
    grouped(lit_jar(1.2), (0.2, -0.1, 0.75))
    grouped(lit_jar(1.2), (-0.4, 0.32, 0.75))
    grouped(wine_glass(rose, 0.6), (0.28, 0.42, 0.75))
    panel((-1.5, -1.5, 2.2), (0, 0, 0.9), 14, (1, 0.7, 0.45), 0.8)
    camera((-0.08, -0.52, 1.04), (0.0, 0.0, 0.91), 40, 0.8, (0, -0.05, 0.95), -0.03)


@shot('candles', square, 47, exposure=0.3, samples=120)
def _():
    sky(night, 0.5)
    blurred_lights(34, (-3, 3.5, 0.6), (3, 5, 2.6), strength=1.8)
    boards(3, 1.4, 7, wood('table'), (0, 0.3, 0.75))
    for x, y, tall in ((-0.09, 0.02, 0.13), (0.03, 0.09, 0.19), (0.12, -0.01, 0.09), (-0.2, 0.24, 0.16), (0.3, 0.3, 0.12)):
        grouped(candle(tall, 0.026, lit=True, watts=1.5), (x, y, 0.75), some(0, TURN))
    for x, y in ((-0.32, 0.05), (0.24, 0.1), (-0.05, 0.5), (0.5, 0.1)):
        grouped(lit_jar(0.8), (x, y, 0.75))
    grouped(wine_glass(red, 0.4), (-0.24, -0.08, 0.75))
    grouped(napkin((0.55, 0.5, 0.42), 0.22), (0.24, -0.14, 0.75), 0.4)
    camera((0.04, -0.72, 0.98), (0.0, 0.03, 0.86), 38, 0.8, (0.0, 0.03, 0.88), 0.02)


@shot('next-morning', wide, 53, exposure=-0.1)
def _():
    daylight(0.16, 2.5, 0.11)
    ground(80, (0.09, 0.13, 0.04))
    for x, y in ((-6, 6), (-2, 8), (3, 7), (7, 5)):
        foliage((x - 2, y - 1, 0.2), (x + 2, y + 1, some(1.6, 3)), 4200, (0.09, 0.2), (0.1, 0.17, 0.04))
    boards(3, 1.0, 6, wood('table', (0.42, 0.27, 0.16), (0.16, 0.09, 0.05)), (0, 0, 0.75))
    for x, y, wine, full in ((-0.3, 0.05, red, 0.05), (-0.12, 0.22, None, 0), (0.16, 0.02, rose, 0.12), (0.34, 0.3, None, 0), (-0.5, 0.34, white, 0.2)):
        grouped(wine_glass(wine, full), (x, y, 0.75), some(0, TURN))
    grouped(wine_glass(), (0.36, -0.14, 0.79), 2.5, (1.52, 0.0))
    grouped(tumbler(beer, 0.05), (-0.02, -0.12, 0.75))
    grouped(tumbler(), (0.52, 0.12, 0.75))
    grouped(bottle(), (0.02, 0.36, 0.75), 1)
    grouped(bottle((0.4, 0.28, 0.1)), (-0.7, 0.2, 0.75), 2)
    grouped(candle(0.045, 0.024, lit=False), (0.25, 0.17, 0.75))
    grouped(napkin(cloth[2], 0.22), (-0.28, -0.2, 0.75), 0.7)
    grouped(plate(), (0.66, 0.34, 0.75))
    crumb = plain('crumb', (0.4, 0.24, 0.1), 0.9)
    for _ in range(90):
        ball('crumb', some(0.001, 0.004), crumb, (some(-0.8, 0.8), some(-0.4, 0.45), 0.752), 8)
    for _ in range(26):
        petal = form('petal', [(0, 0, 0), (0.01, -0.006, 0.003), (0.01, 0.006, 0.003), (0.022, 0, 0.001)], [(0, 1, 3, 2)], translucent('fallen', (0.7, 0.2, 0.3)))
        moved(petal, (some(-0.7, 0.7), some(-0.35, 0.4), 0.752), some(0, TURN))
    camera((0.12, -1.02, 1.16), (0.0, 0.08, 0.82), 34, 1.1, (-0.02, 0.0, 0.84), -0.02)


@shot('toast', wide, 61, exposure=0.35, samples=32)
def _():
    garden_at_dusk(45, strength=0.7)
    blurred_lights(16, (-3, 3.2, 1.3), (3, 4.6, 2.4), strength=1.8)
    boards(3, 1.0, 6, wood('table'), (0, 0, 0.75))
    for x, y, kind in ((-0.24, 0.0, 0), (-0.13, 0.13, 1), (0.0, -0.02, 2), (0.12, 0.1, 0), (0.25, 0.02, 1), (0.37, 0.16, 2), (-0.36, 0.2, 2)):
        if kind == 2:
            grouped(tumbler(beer, some(0.7, 0.95), True), (x, y, 0.75))
        else:
            grouped(wine_glass([white, rose][kind], some(0.4, 0.9)), (x, y, 0.75), some(0, TURN))
    grouped(lit_jar(1.2), (-0.1, 0.34, 0.75))
    grouped(lit_jar(1.2), (0.2, 0.36, 0.75))
    grouped(lit_jar(1.0), (0.14, -0.1, 0.75))
    panel((-1.6, -1.2, 2.0), (0, 0, 0.85), 10, (1, 0.72, 0.48), 0.7)
    camera((0.02, -0.72, 0.95), (0.03, 0.05, 0.868), 40, 0.9, (0, -0.02, 0.87), 0.025)


# ---- bulbs and lanterns ----

@shot('bulbs', upright, 71, exposure=0.2)
def _():
    sky(dusk, 0.6)
    foliage((-4, 6, 0), (4, 8, 2.2), 9000, (0.1, 0.22))
    string_lights((-1.3, 0.3, 2.25), (1.4, -0.35, 2.5), 0.16, 8, near=True, watts=3)
    for row, high in ((2.6, 2.05), (4.2, 2.2), (6.0, 2.6)):
        for at, (x, y, z) in enumerate(hanging((-3.2, row, high + 0.4), (3.2, row + 0.6, high + 0.5), 0.4, 12)):
            unlit(ball('far bulb', 0.05 + 0.006 * row, glowing(f'far bulb {at % 3}', (1, 0.42, 0.12), 1.6 + at % 3), (x, y, z), 16))
    camera((-0.34, -0.62, 1.86), (-0.06, 0.2, 2.12), 36, 0.6, (-0.12, 0.03, 2.1), 0.06)


@shot('one-bulb', wide, 73, exposure=0.1)
def _():
    sky(afterglow, 0.35)
    string_lights((-0.9, 0.1, 2.2), (0.9, -0.1, 2.22), 0.05, 4, near=True, watts=2)
    blurred_lights(30, (-3, 4, 1.6), (3, 6, 3.2), strength=2.2, radius=(0.07, 0.13))
    camera((-0.32, -0.58, 2.0), (-0.1, 0.0, 2.09), 40, 0.6, (-0.22, 0.02, 2.06), -0.04)


@shot('paper-lanterns', upright, 79, exposure=0.15)
def _():
    sky(dusk, 0.55)
    foliage((-5, 4.5, 0.2), (5, 7, 4.8), 70000, (0.05, 0.11), (0.05, 0.1, 0.03))
    foliage((-1.6, 1.2, 3.5), (1.8, 2.6, 4.4), 14000, (0.04, 0.08), (0.06, 0.12, 0.03))
    tones = [(1, 0.55, 0.22), (1, 0.3, 0.16), (1, 0.72, 0.42), (0.95, 0.4, 0.35)]
    for at, (x, y, z, size) in enumerate(((-0.55, 0.2, 2.5, 0.24), (0.35, 0.5, 2.85, 0.28), (0.15, 1.4, 2.25, 0.22), (-0.9, 2.0, 3.1, 0.27), (1.1, 2.1, 2.5, 0.26), (0.5, 3.2, 3.2, 0.25), (-0.4, 3.4, 2.6, 0.25), (-1.7, 3.6, 2.5, 0.25), (2.0, 3.6, 3.2, 0.25))):
        tilt = (0.02, 0.34) if at == 0 else (some(-0.08, 0.08), some(-0.08, 0.08))
        paper_lantern((x, y, z), size, tones[at % 4], 1.1, 5, tilt)
        tube('thread', [(x, y, z + size * 0.9), (x, y, 5)], 0.002, plain('cable', (0.012, 0.012, 0.012), 0.5))
    camera((-0.1, -1.9, 1.6), (-0.05, 1.0, 2.62), 30, 0.7, (-0.4, 0.2, 2.5), 0.02)


@shot('first-lantern', wide, 83, exposure=0.1)
def _():
    sky(afterglow, 0.55)
    ridge(160, 8, (0.035, 0.02, 0.03), 700, 1.5)
    water(500, wave=0.22, scale=0.6)
    line = hanging((-3, -0.6, 2.72), (4.5, 6.6, 3.2), 0.12)
    tube('line', line, 0.004, plain('cable', (0.012, 0.012, 0.012), 0.5))
    for at, size, tone, light in ((13, 0.25, (1, 0.4, 0.1), 0.95), (18, 0.23, (1, 0.27, 0.1), 0.8), (23, 0.24, (1, 0.5, 0.2), 0.85), (29, 0.24, (1, 0.36, 0.12), 0.8)):
        x, y, z = line[at]
        tube('thread', [(x, y, z), (x, y, z - 0.16)], 0.002, plain('cable', (0.012, 0.012, 0.012), 0.5))
        paper_lantern((x, y, z - 0.16 - size * 0.94), size, tone, light, 0, (some(-0.1, 0.1), some(-0.06, 0.1)))
    camera((-0.2, -1.1, 1.75), (0.25, 2.2, 2.08), 30, 0.9, (-0.52, 1.5, 2.2), -0.015)


# ---- the lake ----

def floating(places, strength=2.2):
    for at, (x, y, size) in enumerate(places):
        water_lantern((x, y, 0), size, some(0, 1.5), 1.5 if at < 5 else 0, strength)


def far_shore(distance=90, stops=8):
    ridge(distance, 5, (0.006, 0.007, 0.012), 420, 1.6)
    for _ in range(stops):
        unlit(ball('window', 0.25, glowing('window', (1, 0.6, 0.25), 14), (some(-60, 60), distance - 1, some(0.8, 2.4)), 10))


@shot('lanterns-on-the-lake', wide, 97, exposure=0.5)
def _():
    sky([(0.0, (0.3, 0.12, 0.08)), (0.07, (0.15, 0.08, 0.1)), (0.25, (0.04, 0.045, 0.1)), (1.0, (0.006, 0.01, 0.035))], 0.6)
    far_shore()
    water(wave=0.3, scale=1.0)
    places = [(-0.55, 1.5, 0.22), (0.6, 2.1, 0.22), (0.05, 3.2, 0.2), (-1.3, 3.6, 0.22), (1.6, 4.0, 0.22)]
    places += [(some(-1, 1) * (3 + y * 0.45), y, 0.22) for y in (some(4.5, 30) for _ in range(40))]
    floating(places)
    camera((0, -0.6, 0.85), (0.05, 4, 0.38), 30, 1.6, (-0.3, 1.8, 0.15), 0.012)


@shot('lantern-up-close', upright, 101, exposure=0.45)
def _():
    sky(night, 1.0)
    far_shore(70, 12)
    water(wave=0.22, scale=1.6)
    places = [(0.02, 0.9, 0.2), (-0.55, 1.9, 0.2), (0.6, 2.4, 0.2), (-0.2, 3.4, 0.22), (0.9, 4.0, 0.22)]
    places += [(some(-1, 1) * (1 + y * 0.3), y, 0.22) for y in (some(4.5, 16) for _ in range(22))]
    floating(places, 2.4)
    camera((0.04, -0.1, 0.42), (0.02, 1.5, 0.2), 34, 0.8, (0.02, 0.85, 0.12), -0.02)


@shot('eleven-boats', cinema, 103, exposure=0.5)
def _():
    sky(afterglow, 0.16)
    far_shore(120, 14)
    water(wave=0.35, scale=0.7)
    places = [(some(-1, 1) * (2 + y * 0.4), y, 0.26) for y in (some(5, 60) for _ in range(90))]
    floating(places, 3)
    planks = wood('pier', (0.05, 0.035, 0.03), (0.015, 0.01, 0.008), 0.7)
    for at in range(40):
        box('plank', (1.5, 0.16, 0.04), planks, (-1.9 + some(-0.02, 0.02), -1 + at * 0.175, 0.55 + some(-0.004, 0.004)))
    for y in (0.2, 2.2, 4.2, 5.8):
        for x in (-2.68, -1.12):
            post = turned('post', [(0.075, -1), (0.07, 0.95), (0.06, 0.98), (0, 0.98)], planks, 16, 0.06)
            moved(post, (x, y, some(-0.1, 0.1)), 0, (some(-0.03, 0.03), some(-0.03, 0.03)))
    unlit(ball('lamp', 0.07, glowing('lamp lit', (1, 0.62, 0.3), 25), (-1.12, 5.8, 1.12), 16))
    lamp((-1.12, 5.7, 1.14), 30, radius=0.08)
    camera((-0.9, -1.6, 1.5), (0.3, 9, 0.75), 28, 2.8, (-0.6, 6, 0.6), -0.01)


def sunset(height, azimuth=0.0, glow=1.0):
    stops = [(0.0, (1.0, 0.42, 0.1)), (0.08, (1.0, 0.4, 0.14)), (0.2, (0.75, 0.3, 0.22)), (0.38, (0.3, 0.22, 0.32)), (1.0, (0.06, 0.1, 0.22))]
    sky(stops, 0.75 * glow)
    x = math.tan(azimuth) * 900
    unlit(ball('sun', 21, glowing('sun', (1, 0.6, 0.22), 38), (x, 900, height), 32))
    halo = lambda size, strength: along_halo(x, height, size, strength)
    halo(260, 0.55)
    halo(110, 1.1)


def along_halo(x, z, size, strength):
    """The air's own light around a low sun."""
    def build(made, nodes, links, surface):
        at = nodes.new('ShaderNodeTexCoord')
        ball_ = nodes.new('ShaderNodeTexGradient')
        ball_.gradient_type = 'SPHERICAL'
        spread = nodes.new('ShaderNodeMapping')
        spread.inputs['Scale'].default_value = (1 / size,) * 3
        links.new(at.outputs['Object'], spread.inputs['Vector'])
        links.new(spread.outputs['Vector'], ball_.inputs['Vector'])
        eased = nodes.new('ShaderNodeMath')
        eased.operation = 'POWER'
        eased.inputs[1].default_value = 2.2
        links.new(ball_.outputs['Fac'], eased.inputs[0])
        scaled = nodes.new('ShaderNodeMath')
        scaled.operation = 'MULTIPLY'
        scaled.inputs[1].default_value = strength
        links.new(eased.outputs[0], scaled.inputs[0])
        light, clear, both = nodes.new('ShaderNodeEmission'), nodes.new('ShaderNodeBsdfTransparent'), nodes.new('ShaderNodeAddShader')
        light.inputs['Color'].default_value = (1, 0.42, 0.12, 1)
        links.new(scaled.outputs[0], light.inputs['Strength'])
        links.new(light.outputs[0], both.inputs[0])
        links.new(clear.outputs[0], both.inputs[1])
        links.new(both.outputs[0], nodes['Material Output'].inputs['Surface'])
        nodes.remove(surface)
    disc = form('halo', [(-size, 0, -size), (size, 0, -size), (size, 0, size), (-size, 0, size)], [(0, 1, 2, 3)], material(f'halo {size}', build))
    unlit(moved(disc, (x, 895 - size / 50, z)))


def reeds(low, high, number):
    dark = plain('reed', (0.02, 0.018, 0.01), 0.8)
    for _ in range(number):
        x, y, up, lean = some(low[0], high[0]), some(low[1], high[1]), some(0.5, 1.3), some(-0.2, 0.25)
        tube('reed', [(x, y, -0.1), (x + lean * 0.15, y, up * 0.5), (x + lean * 0.5, y, up * 0.85), (x + lean, y, up)], some(0.003, 0.005), dark, thin_end=True)
        if some(0, 1) < 0.3:
            head = turned('head', [(0, 0), (0.011, 0.01), (0.012, 0.1), (0.006, 0.12), (0, 0.12)], plain('cat-tail', (0.04, 0.02, 0.008), 0.9, 0.5, 300), 12)
            moved(head, (x + lean * 0.9, y, up * 0.95), 0, (0, lean * 0.6))


@shot('sunset', wide, 107, exposure=-0.35, look='Medium Contrast')
def _():
    sunset(46, 0.07)
    ridge(820, 46, (0.3, 0.11, 0.09), 2600, 2)
    ridge(420, 20, (0.12, 0.045, 0.05), 1500, 3)
    ridge(210, 7, (0.03, 0.013, 0.016), 800, 2)
    water(2400, wave=0.4, scale=0.45)
    reeds((-1.7, 1.2), (-0.4, 2.6), 70)
    reeds((1.2, 1.6), (2.2, 2.8), 36)
    camera((0, -1, 1.35), (0.1, 10, 1.45), 27, 2.2, (0, 60, 1), -0.012)


@shot('pier-at-sunset', tall, 109, exposure=-0.2, look='Medium Contrast')
def _():
    sunset(62, 0.03)
    ridge(600, 30, (0.2, 0.075, 0.07), 2200, 2)
    ridge(260, 9, (0.05, 0.02, 0.022), 900, 2)
    water(2400, wave=0.35, scale=0.5)
    planks = wood('pier', (0.16, 0.11, 0.085), (0.045, 0.03, 0.022), 0.55)
    for at in range(70):
        thing = box('plank', (1.5 + some(-0.03, 0.03), 0.14, 0.04), planks, (some(-0.02, 0.02), at * 0.15, 0.5 + some(-0.006, 0.006)))
        thing.rotation_euler = (0, some(-0.008, 0.008), some(-0.012, 0.012))
    for at, y in enumerate((1.6, 3.8, 6.0, 8.2, 10.2)):
        for x in (-0.85, 0.85):
            post = turned('post', [(0.085, -1), (0.08, 0.97), (0.07, 1.0), (0, 1.01)], planks, 18, 0.05)
            moved(post, (x, y, some(-0.12, 0.1)), some(0, 3), (some(-0.03, 0.03), some(-0.03, 0.03)))
    for x in (-0.85, 0.85):
        for a, b in ((1.6, 3.8), (3.8, 6.0), (6.0, 8.2), (8.2, 10.2)):
            tube('rope', hanging((x, a, 0.92), (x, b, 0.92), 0.16), 0.014, plain('rope', (0.16, 0.11, 0.07), 0.9, 0.8, 260))
    grouped(lit_jar(1.5), (0.42, 2.2, 0.52))
    grouped(bottle(), (-0.45, 2.6, 0.52))
    grouped(wine_glass(rose, 0.5), (-0.28, 2.75, 0.52))
    camera((0.1, 0.1, 1.55), (0.02, 5, 1.15), 30, 1.8, (0, 3, 0.6), 0.01)


# ---- the afternoon ----

def meadow(elevation=0.5, azimuth=0.6, strength=0.1, tone=(0.12, 0.23, 0.04)):
    daylight(elevation, azimuth, strength)
    ground(120, (0.09, 0.15, 0.03))
    for x in range(-12, 13, 4):
        foliage((x - 2.4, 14, 0.2), (x + 2.4, 18, some(2.5, 5.5)), 5200, (0.16, 0.34), (0.09, 0.17, 0.035))


@shot('meadow', wide, 113, exposure=-0.35)
def _():
    meadow(0.34, 2.6, 0.13)
    grass((-2.2, 2.2), (-0.1, 3), 26000, (0.1, 0.3))
    grass((-6, 6), (3, 12), 26000, (0.15, 0.35))
    for _ in range(60):
        x, y, up = some(-1.6, 1.6), some(0.15, 3.2), some(0.2, 0.36)
        tube('stem', [(x, y, 0), (x + some(-0.02, 0.02), y, up * 0.6), (x, y, up)], 0.0012, translucent('stem', (0.1, 0.22, 0.05), 0.25))
        kind = ['daisy', 'daisy', 'cosmos'][int(some(0, 3))]
        grouped(flower(kind), (x, y, up), some(0, TURN), (some(-0.3, 0.7), some(-0.4, 0.4)), some(0.9, 1.4))
    for x, y, up, size in ((-0.04, 0.12, 0.3, 1.5), (0.13, 0.16, 0.34, 1.4), (-0.17, 0.2, 0.27, 1.5), (0.05, 0.24, 0.25, 1.4)):
        tube('stem', [(x, y, 0), (x + 0.01, y, up * 0.6), (x, y, up)], 0.0014, translucent('stem', (0.1, 0.22, 0.05), 0.25))
        grouped(flower('daisy'), (x, y, up), some(0, TURN), (some(0.5, 1.0), some(-0.3, 0.3)), size)
    camera((0.05, -0.28, 0.3), (0.0, 1.5, 0.42), 34, 0.5, (0.0, 0.14, 0.29), 0.015)


@shot('bunting', wide, 127, exposure=-0.5)
def _():
    meadow(0.6, 2.0, 0.12)
    for at, (y, high) in enumerate(((1.2, 2.7), (2.6, 2.95), (4.6, 3.2))):
        bunting((-3.4, y, high), (3.2, y + 0.5, high + 0.15), 0.42, 22, cloth)
    foliage((-4.5, 5.5, 2.4), (-1.5, 8, 5.2), 9000, (0.09, 0.18), (0.1, 0.19, 0.04))
    foliage((2.2, 6, 1.4), (5, 9, 4.6), 9000, (0.09, 0.18), (0.09, 0.18, 0.04))
    camera((-0.9, -0.7, 1.5), (0.1, 2.2, 2.35), 30, 1.0, (-0.5, 1.3, 2.3), -0.02)


@shot('picnic', upright, 131, exposure=-0.35)
def _():
    meadow(0.3, 2.4, 0.12)
    grass((-3, 3), (0.9, 7), 42000, (0.06, 0.2))
    grass((-1.4, 1.4), (-0.6, 0.9), 14000, (0.03, 0.09))
    steps = 60
    points = [((x / steps - 0.5) * 1.7, 0.6 + (y / steps - 0.5) * 1.3, 0.055) for x in range(steps + 1) for y in range(steps + 1)]
    faces = [(a, a + 1, a + steps + 2, a + steps + 1) for x in range(steps) for y in range(steps) for a in [x * (steps + 1) + y]]

    def checks(_, nodes, links, surface):
        at, pattern = nodes.new('ShaderNodeTexCoord'), nodes.new('ShaderNodeTexChecker')
        pattern.inputs['Scale'].default_value = 17
        pattern.inputs['Color1'].default_value, pattern.inputs['Color2'].default_value = (0.5, 0.06, 0.05, 1), (0.7, 0.66, 0.58, 1)
        links.new(at.outputs['Object'], pattern.inputs['Vector'])
        links.new(pattern.outputs['Color'], surface.inputs['Base Color'])
        surface.inputs['Roughness'].default_value = 0.95
    rounded(rough(form('blanket', points, faces, material('checks', checks)), 0.06, 0.3))
    grouped(bottle(), (0.16, 0.75, 0.06), 0.3, (0.04, 0.03))
    grouped(wine_glass(rose, 0.6), (-0.08, 0.52, 0.062), 0, (0.03, -0.04))
    grouped(wine_glass(rose, 0.4), (0.02, 0.68, 0.062), 0, (-0.03, 0.03))
    grouped(bunch(['daisy', 'cosmos'], 9, 0.17), (-0.26, 0.74, 0.06))
    grouped(plate(0.11), (0.2, 0.42, 0.06), 0, (0.02, 0.02))
    for _ in range(14):
        rough(ball('strawberry', some(0.012, 0.016), plain('berry', (0.5, 0.02, 0.015), 0.3, 0.5, 420, subsurface=0.2), (0.2 + some(-0.05, 0.05), 0.42 + some(-0.05, 0.05), 0.095 + some(-0.006, 0.012)), 20), 0.006, 0.02)
    camera((-0.28, -0.42, 0.62), (0.0, 0.66, 0.16), 30, 1.2, (-0.03, 0.55, 0.15), 0.02)


# ---- what is celebrated ----

@shot('cake', upright, 137, exposure=0.25, samples=32)
def _():
    sky(night, 0.35)
    blurred_lights(40, (-3, 3, 0.5), (3, 4.5, 3), strength=1.6)
    boards(3, 1.4, 7, wood('table'), (0, 0.2, 0.75))
    stand = [(0, 0), (0.07, 0), (0.072, 0.006), (0.02, 0.02), (0.018, 0.08), (0.05, 0.092), (0.16, 0.098), (0.163, 0.104), (0, 0.104)]
    moved(rounded(turned('stand', stand, plain('porcelain', (0.78, 0.76, 0.72), 0.22, 0.02, 25.0), 64)), (0, 0, 0.75))
    cream = plain('cream', (0.82, 0.72, 0.58), 0.55, 0.35, 22.0, subsurface=0.35, subsurface_radius=(0.03, 0.018, 0.01))
    body = [(0.0, 0.0), (0.125, 0.0), (0.128, 0.004)]
    for i in range(13):
        body.append((0.128 + 0.0022 * math.sin(i * 1.7), 0.008 + i * 0.0085))
    body += [(0.122, 0.121), (0.11, 0.124), (0.0, 0.122)]
    moved(rough(rounded(turned('cake', body, cream, 96, 0.004)), 0.006, 0.03), (0, 0, 0.853))
    for at in range(22):
        angle = at / 22 * TURN
        swirl = [(0.018 * (1 - i / 9) * (1 + 0.14 * (i % 2)), 0.0035 * i) for i in range(10)]
        moved(rounded(turned('swirl', swirl, cream, 20, 0.05)), (0.104 * math.cos(angle), 0.104 * math.sin(angle), 0.974), some(0, 1))
    for _ in range(26):
        angle, out = some(0, TURN), 0.075 * math.sqrt(some(0, 1))
        berry = plain('berry', (0.42, 0.012, 0.015), 0.25, 0.5, 420, subsurface=0.2) if some(0, 1) < 0.6 else plain('blueberry', (0.02, 0.022, 0.07), 0.5, 0.2, 60)
        rough(ball('berry', some(0.008, 0.0125), berry, (out * math.cos(angle), out * math.sin(angle), 0.982 + some(0, 0.004)), 20), 0.003, 0.02)
    tones = [(0.75, 0.22, 0.2), (0.3, 0.5, 0.6), (0.85, 0.7, 0.35), (0.8, 0.78, 0.72)]
    for at in range(9):
        angle = at / 9 * TURN + some(-0.1, 0.1)
        out = 0.06 if at else 0.0
        grouped(candle(some(0.06, 0.07), 0.0032, tones[at % 4], watts=0.32), (out * math.cos(angle), out * math.sin(angle), 0.972), 0, (some(-0.06, 0.06), some(-0.06, 0.06)))
    grouped(lit_jar(0.7), (-0.42, 0.3, 0.75))
    grouped(wine_glass(white, 0.6), (0.33, 0.22, 0.75))
    grouped(plate(), (0.34, -0.12, 0.75))
    panel((-1.2, -1.4, 2.2), (0, 0, 0.9), 5, (1, 0.7, 0.5), 0.7)
    camera((0.1, -0.72, 1.14), (0.0, 0.0, 0.965), 42, 1.0, (0.0, -0.1, 0.98), -0.02)


def sparkler(at, reach=0.17, number=210, lean=0.5, seed_glow=16):
    x, y, z = at
    hot = glowing('spark', (1, 0.72, 0.36), 60)
    cooler = glowing('spark far', (1, 0.42, 0.12), 22)
    unlit(ball('heart', 0.0075, glowing('heart', (1, 0.88, 0.68), 260), at, 16))
    for _ in range(number):
        up, turn, long = math.acos(some(-1, 1)), some(0, TURN), reach * some(0.08, 1) ** 1.4
        d = (math.sin(up) * math.cos(turn), math.sin(up) * math.sin(turn), math.cos(up))
        begin = long * some(0.0, 0.5)
        line = [(x + d[0] * s, y + d[1] * s, z + d[2] * s - s * s * 0.9) for s in (begin, (begin + long) / 2, long)]
        unlit(tube('spark', line, some(0.0004, 0.0009), hot if long < reach * 0.6 else cooler, thin_end=True))
        if some(0, 1) < 0.3:
            end = line[-1]
            for _ in range(6):
                tip = [end[i] + some(-0.018, 0.018) for i in range(3)]
                unlit(tube('burst', [end, tip], 0.0004, hot, thin_end=True))
    tube('stick', [(x, y, z), (x + lean * 0.06, y, z - 0.16), (x + lean * 0.16, y - 0.02, z - 0.5)], 0.0014, plain('steel', (0.6, 0.58, 0.55), 0.22, 0.02, 80.0, metallic=1.0))
    lamp(at, 2.2, (1, 0.75, 0.45), 0.02)


@shot('sparkler', upright, 139, exposure=0.2, glow=-0.5)
def _():
    sky(night, 0.8)
    blurred_lights(46, (-3, 4, 0.2), (3, 6, 3.4), strength=1.5, radius=(0.07, 0.15))
    sparkler((0.02, 0, 1.5))
    camera((0, -0.75, 1.42), (0.01, 0, 1.44), 40, 1.0, (0.02, 0, 1.5), 0.03)


@shot('two-sparklers', wide, 149, exposure=0.2, glow=-0.5)
def _():
    sky(afterglow, 0.12)
    far_shore(60, 10)
    water(wave=0.3)
    sparkler((-0.17, 0, 1.5), lean=-0.9)
    sparkler((0.2, 0.14, 1.43), 0.15, 160, 0.8)
    camera((0, -0.95, 1.45), (0.02, 0, 1.42), 32, 1.0, (-0.17, 0, 1.5), -0.02)


# ---- the dance ----

@shot('mirror-ball', square, 151, exposure=0.35, glow=-0.6)
def _():
    sky([(0.0, (0.05, 0.005, 0.06)), (0.4, (0.02, 0.004, 0.05)), (1.0, (0.005, 0.002, 0.02))], 0.7)
    mirror = plain('mirror', (0.9, 0.9, 0.92), 0.06, 0.0, 3.0, metallic=1.0)
    radius, rings = 0.25, 34
    for ring in range(rings):
        low, high = math.pi * ring / rings - math.pi / 2, math.pi * (ring + 1) / rings - math.pi / 2
        around = max(4, int(TURN * radius * math.cos((low + high) / 2) / 0.0235))
        points, faces = [], []
        for at in range(around):
            a, b = TURN * (at + 0.04) / around, TURN * (at + 0.96) / around
            l, h = low + 0.04 * (high - low), high - 0.04 * (high - low)
            out, start = radius * some(0.996, 1.004), len(points)
            for up, turn in ((l, a), (l, b), (h, b), (h, a)):
                jolt = some(0.9965, 1.0035)
                points.append((out * jolt * math.cos(up) * math.cos(turn), out * jolt * math.cos(up) * math.sin(turn), out * jolt * math.sin(up)))
            faces.append((start, start + 1, start + 2, start + 3))
        moved(form('mirrors', points, faces, mirror, smooth=False), (0, 0, 2.4))
    ball('core', radius * 0.985, plain('core', (0.02, 0.02, 0.02), 0.8), (0, 0, 2.4), 48)
    tube('chain', [(0, 0, 2.62), (0, 0, 4)], 0.006, plain('cable', (0.012, 0.012, 0.012), 0.5))
    for at, tone, strength in (((-2.5, -2.0, 3.6), (1, 0.1, 0.5), 26), ((2.8, -1.5, 3.2), (0.2, 0.3, 1), 30), ((0.3, -3.2, 4.4), (1, 0.75, 0.45), 34), ((-1.4, -3.4, 1.2), (0.6, 0.1, 1), 16),
                               ((2.0, 2.2, 3.4), (1, 0.3, 0.15), 22), ((-2.6, 1.8, 2.2), (0.1, 0.6, 1), 16), ((1.4, -3.0, 1.0), (1, 0.45, 0.15), 16)):
        ball('spot', 0.26, glowing(f'spot {tone}', tone, strength), at, 20)
    blurred_lights(38, (-2.6, 3.4, 1.0), (2.6, 5, 3.8), ((1, 0.06, 0.4), (0.2, 0.2, 1), (1, 0.4, 0.1), (0.5, 0.07, 0.8)), (0.06, 0.15), 2)
    blurred_lights(60, (-4, -5, 0.4), (4, -2, 4.4), ((1, 0.1, 0.5), (0.25, 0.3, 1), (1, 0.6, 0.3), (1, 0.85, 0.7)), (0.1, 0.26), 14)
    camera((-0.12, -1.3, 2.12), (0.0, 0, 2.37), 44, 1.2, (0, -0.23, 2.4), 0.03)


@shot('record', wide, 157, exposure=0.4, samples=120)
def _():
    sky(night, 0.6)
    blurred_lights(36, (-3, 3, 0.3), (3, 5, 3), strength=1.8)
    boards(3, 1.6, 7, wood('table'), (0, 0.2, 0.75))
    box('plinth', (0.46, 0.37, 0.09), wood('plinth', (0.28, 0.12, 0.05), (0.09, 0.03, 0.012), 0.35), (0, 0, 0.81), 0.006)
    top, disc = 0.858, 0.15

    def grooves(_, nodes, links, surface):
        surface.inputs['Base Color'].default_value = (0.006, 0.006, 0.007, 1)
        surface.inputs['Roughness'].default_value = 0.24
        surface.inputs['Anisotropic'].default_value = 0.85
        at, rings = nodes.new('ShaderNodeTexCoord'), nodes.new('ShaderNodeTexWave')
        rings.wave_type, rings.rings_direction = 'RINGS', 'Z'
        rings.inputs['Scale'].default_value, rings.inputs['Distortion'].default_value = 150, 0.4
        links.new(at.outputs['Object'], rings.inputs['Vector'])
        bump = nodes.new('ShaderNodeBump')
        bump.inputs['Strength'].default_value, bump.inputs['Distance'].default_value = 0.22, 0.002
        links.new(rings.outputs['Fac'], bump.inputs['Height'])
        links.new(bump.outputs['Normal'], surface.inputs['Normal'])
        direction = nodes.new('ShaderNodeTangent')
        direction.direction_type, direction.axis = 'RADIAL', 'Z'
        links.new(direction.outputs[0], surface.inputs['Tangent'])
    moved(turned('platter', [(0, 0), (0.155, 0), (0.156, 0.012), (0.15, 0.014), (0, 0.014)], plain('platter', (0.5, 0.5, 0.5), 0.25, 0.0, 30, metallic=1.0), 96), (-0.05, 0, top))
    moved(turned('record', [(disc, 0), (disc + 0.001, 0.001), (disc, 0.002), (disc - 0.004, 0.0016), (0.06, 0.0016), (0.05, 0.0016), (0, 0.0016)], material('vinyl', grooves), 128), (-0.05, 0, top + 0.0145))
    moved(turned('label', [(0.05, 0), (0.05, 0.0004), (0.036, 0.0004), (0.0035, 0.0004)], plain('label red', (0.5, 0.06, 0.03), 0.6, 0.1, 60), 64), (-0.05, 0, top + 0.0162))
    moved(turned('label ring', [(0.034, 0), (0.034, 0.0007), (0.031, 0.0007), (0.031, 0)], plain('label cream', (0.75, 0.68, 0.5), 0.6), 64), (-0.05, 0, top + 0.0162))
    chrome = plain('chrome', (0.75, 0.74, 0.72), 0.12, 0.0, 30, metallic=1.0)
    moved(turned('spindle', [(0.0032, 0), (0.0032, 0.011), (0.0015, 0.014), (0, 0.0142)], chrome, 20), (-0.05, 0, top + 0.014))
    moved(turned('pivot', [(0.026, 0), (0.026, 0.02), (0.012, 0.024), (0.012, 0.045), (0, 0.047)], chrome, 40), (0.17, 0.11, top))
    tube('arm', [(0.185, 0.16, top + 0.038), (0.17, 0.11, top + 0.038), (0.135, 0.0, top + 0.036), (0.085, -0.07, top + 0.028), (0.062, -0.085, top + 0.024)], 0.0042, chrome)
    moved(turned('weight', [(0, 0), (0.015, 0), (0.015, 0.03), (0, 0.03)], chrome, 30), (0.188, 0.172, top + 0.038), 0.3, (math.pi / 2, 0))
    box('head', (0.034, 0.014, 0.012), plain('shell', (0.02, 0.02, 0.02), 0.3), (0.055, -0.089, top + 0.022), 0.002).rotation_euler = (0, 0, 0.6)
    for x in (0.17, 0.2):
        moved(turned('knob', [(0.011, 0), (0.011, 0.012), (0.009, 0.014), (0, 0.014)], chrome, 30), (x, -0.14, top - 0.003))
    grouped(lit_jar(1.2), (0.34, 0.16, 0.75))
    grouped(lit_jar(1.2), (-0.36, 0.24, 0.75))
    grouped(tumbler(beer, 0.6, True), (0.36, -0.06, 0.75))
    panel((0.9, 0.9, 1.7), (0, 0, 0.85), 9, (1, 0.6, 0.3), 0.35)
    panel((-1.3, 0.5, 1.9), (0, 0, 0.85), 7, (1, 0.2, 0.45), 0.4)
    camera((-0.24, -0.47, 1.12), (0.02, 0.0, 0.87), 36, 1.0, (0.03, -0.06, 0.88), 0.04)


def dancer(x, y, of, tall, arms):
    """Somebody's back, far out of focus."""
    lean = some(-0.05, 0.05)
    hips = [(0.0, 0.0), (0.14, 0.0), (0.15, 0.5), (0.17, 0.85), (0.135, 1.05), (0.19, 1.35), (0.2, 1.45), (0.1, 1.5), (0.055, 1.53), (0.052, 1.6), (0, 1.6)]
    parts = [rounded(turned('body', hips, of, 20)), ball('head', 0.105, of, (0, 0, 1.71), 20), ball('hair', 0.115, of, (0.01, -0.02, 1.74), 20)]
    for side, up in zip((-1, 1), arms):
        if up:
            parts.append(tube('arm', [(side * 0.18, 0, 1.42), (side * (0.33 + some(0, 0.1)), 0, 1.6 + some(0, 0.15)), (side * (0.22 + some(0, 0.15)), 0, 1.95 + some(0, 0.1))], 0.045, of))
            parts.append(ball('hand', 0.055, of, (side * 0.27, 0, 2.0), 14))
        else:
            parts.append(tube('arm', [(side * 0.19, 0, 1.42), (side * 0.27, 0, 1.15), (side * 0.2, 0.1, 0.9)], 0.048, of))
    grouped(parts, (x, y, 0), some(-0.3, 0.3), (0, lean), tall / 1.82)


@shot('dance', wide, 163, exposure=0.3, glow=-0.5)
def _():
    sky([(0.0, (0.06, 0.008, 0.06)), (1.0, (0.01, 0.003, 0.03))], 0.6)
    dark = plain('coat', (0.02, 0.015, 0.02), 0.8)
    ground(40, (0.03, 0.02, 0.03))
    for at in range(26):
        dancer(-2.6 + at * 0.21 + some(-0.1, 0.1), some(1.9, 3.6), dark, some(1.55, 1.85), (some(0, 1) < 0.5, some(0, 1) < 0.5))
    tones = ((1, 0.07, 0.35), (0.2, 0.16, 1), (1, 0.4, 0.1), (0.65, 0.06, 0.8))
    blurred_lights(60, (-5, 6.5, 1.4), (5, 8, 4.2), tones, (0.08, 0.22), 2.2)
    for at, x in enumerate((-2, 2)):
        panel((x, 7, 4), (x * 0.3, 2, 1), 300, tones[at], 1.2)
    string_lights((-2.4, 0.5, 2.42), (2.4, 0.9, 2.3), 0.22, 9, near=True)
    string_lights((-4, 3.4, 2.9), (4, 3.8, 2.75), 0.35, 14)
    camera((0.1, -1.2, 1.62), (0.1, 2, 1.98), 36, 0.4, (0, 0.6, 2.2), -0.035)


# ---- the fire ----

@shot('fire', upright, 167, exposure=0.1, glow=-0.6)
def _():
    sky(night, 0.6)
    ground(30, (0.03, 0.028, 0.02))
    blurred_lights(18, (-3, 4, 0.8), (3, 6, 2.6), strength=1.5)
    iron = plain('iron', (0.03, 0.024, 0.02), 0.6, 0.4, 60, metallic=0.6)
    bowl = [(0.0, 0.12), (0.2, 0.15), (0.34, 0.24), (0.41, 0.36), (0.42, 0.37), (0.415, 0.38), (0.335, 0.26), (0.19, 0.17), (0.0, 0.14)]
    rounded(turned('bowl', bowl, iron, 64))

    def charred(_, nodes, links, surface):
        surface.inputs['Roughness'].default_value = 0.95
        at, cracks = nodes.new('ShaderNodeTexCoord'), nodes.new('ShaderNodeTexVoronoi')
        cracks.feature, cracks.inputs['Scale'].default_value = 'DISTANCE_TO_EDGE', 17
        links.new(at.outputs['Object'], cracks.inputs['Vector'])
        ash, glow_ = colours(nodes, [(0.0, (0.06, 0.05, 0.045)), (0.5, (0.012, 0.01, 0.009))]), colours(nodes, [(0.0, (1, 0.42, 0.08)), (0.12, (0.5, 0.05, 0.004)), (0.22, (0, 0, 0))])
        patches = nodes.new('ShaderNodeTexNoise')
        patches.inputs['Scale'].default_value = 5
        links.new(at.outputs['Object'], patches.inputs['Vector'])
        ember, times = colours(nodes, [(0.45, (0, 0, 0)), (0.65, (1, 1, 1))]), nodes.new('ShaderNodeMixRGB')
        times.blend_type, times.inputs['Fac'].default_value = 'MULTIPLY', 1
        links.new(patches.outputs['Fac'], ember.inputs['Fac'])
        links.new(cracks.outputs['Distance'], ash.inputs['Fac'])
        links.new(cracks.outputs['Distance'], glow_.inputs['Fac'])
        links.new(glow_.outputs['Color'], times.inputs['Color1'])
        links.new(ember.outputs['Color'], times.inputs['Color2'])
        links.new(ash.outputs['Color'], surface.inputs['Base Color'])
        links.new(times.outputs['Color'], surface.inputs['Emission'])
        surface.inputs['Emission Strength'].default_value = 14
    bark = material('charred', charred)
    for at in range(9):
        angle, long = at / 9 * TURN + some(-0.2, 0.2), some(0.4, 0.55)
        log = turned('log', [(0, 0)] + [(some(0.036, 0.044), long * i / 10) for i in range(11)] + [(0, long)], bark, 20, 0.08)
        moved(rough(rounded(log), 0.03, 0.09), (0.27 * math.cos(angle), 0.27 * math.sin(angle), 0.2), angle, (0, -0.95 + some(-0.15, 0.15)))

    def fire(_, nodes, links, surface):
        at, wisps, parts = nodes.new('ShaderNodeTexCoord'), nodes.new('ShaderNodeTexNoise'), nodes.new('ShaderNodeSeparateXYZ')
        info, shift, stretch = nodes.new('ShaderNodeObjectInfo'), nodes.new('ShaderNodeVectorMath'), nodes.new('ShaderNodeMapping')
        stretch.inputs['Scale'].default_value = (1.6, 1.6, 0.75)
        wisps.inputs['Scale'].default_value, wisps.inputs['Detail'].default_value, wisps.inputs['Distortion'].default_value = 3.2, 4, 1.1
        far = nodes.new('ShaderNodeMath')
        far.operation, far.inputs[1].default_value = 'MULTIPLY', 40
        links.new(info.outputs['Random'], far.inputs[0])
        links.new(at.outputs['Object'], stretch.inputs['Vector'])
        links.new(stretch.outputs['Vector'], shift.inputs[0])
        links.new(far.outputs[0], shift.inputs[1])
        links.new(shift.outputs['Vector'], wisps.inputs['Vector'])
        links.new(at.outputs['Generated'], parts.inputs[0])
        # Higher and further out there is less of it.
        def maths(kind, one, other):
            node = nodes.new('ShaderNodeMath')
            node.operation = kind
            for slot, value in enumerate((one, other)):
                if isinstance(value, (int, float)):
                    node.inputs[slot].default_value = value
                else:
                    links.new(value, node.inputs[slot])
            return node.outputs[0]
        out = maths('ABSOLUTE', maths('SUBTRACT', parts.outputs['X'], 0.5), 0)
        less = maths('ADD', maths('MULTIPLY', parts.outputs['Z'], 0.66), maths('MULTIPLY', maths('POWER', out, 1.6), 1.5))
        much = maths('SUBTRACT', maths('ADD', wisps.outputs['Fac'], 0.1), less)
        tone = colours(nodes, [(0.1, (0.0, 0.0, 0.0)), (0.2, (0.6, 0.1, 0.01)), (0.34, (1, 0.36, 0.06)), (0.55, (1, 0.68, 0.28))])
        links.new(much, tone.inputs['Fac'])
        light, clear, both = nodes.new('ShaderNodeEmission'), nodes.new('ShaderNodeBsdfTransparent'), nodes.new('ShaderNodeAddShader')
        light.inputs['Strength'].default_value = 1.7
        links.new(tone.outputs['Color'], light.inputs['Color'])
        links.new(light.outputs[0], both.inputs[0])
        links.new(clear.outputs[0], both.inputs[1])
        links.new(both.outputs[0], nodes['Material Output'].inputs['Surface'])
        nodes.remove(surface)
    flames = material('fire', fire)
    for at in range(7):
        wide_, high, y = some(0.24, 0.34), some(0.55, 0.95), -0.2 + at * 0.065
        points = [(-wide_, 0, 0), (wide_, 0, 0), (wide_, 0, high), (-wide_, 0, high)]
        unlit(moved(form('flames', points, [(0, 1, 2, 3)], flames), (some(-0.1, 0.1), y, 0.22), some(-0.4, 0.4)))
    spark = glowing('fire spark', (1, 0.38, 0.07), 40)
    for _ in range(70):
        x, y, z = some(-0.35, 0.35), some(-0.3, 0.4), 0.5 + some(0, 1) ** 1.3 * 1.2
        d = (some(-0.03, 0.05), some(-0.02, 0.02), some(0.01, 0.07))
        unlit(tube('spark', [(x, y, z), (x + d[0] * 0.4, y, z + d[2] * 0.6), (x + d[0], y + d[1], z + d[2])], some(0.0008, 0.0018), spark, thin_end=True))
    for z, watts in ((0.45, 26), (0.75, 18)):
        lamp((0, -0.05, z), watts, (1, 0.42, 0.12), 0.15)
    stone = plain('stone', (0.16, 0.14, 0.12), 0.9, 0.6, 12)
    for at in range(15):
        angle = at / 15 * TURN
        rough(rounded(ball('stone', some(0.08, 0.12), stone, (0.62 * math.cos(angle), 0.62 * math.sin(angle), 0.03), 16)), 0.06, 0.09)
    camera((0.1, -1.75, 0.95), (0, 0, 0.68), 34, 1.4, (0, -0.2, 0.4), 0.015)
