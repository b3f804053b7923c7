import { describe, expect, test } from 'vitest'
import { chartColors, hueCount } from './palette.ts'

describe('palette', () => {
  // Linear RGB as seen by normal, protanopic and deuteranopic eyes (Machado and others, 2009).
  const eyes = [
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    [
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
    [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ],
  ] as const
  const linear = (hex: string) =>
    [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
  const mixed = (weights: readonly number[], parts: readonly number[]) =>
    weights.reduce((sum, weight, index) => sum + weight * parts[index]!, 0)
  const toLab = (rgb: number[]) => {
    const clipped = rgb.map((part) => Math.min(1, Math.max(0, part)))
    const root = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
    const x = root(mixed([0.4124, 0.3576, 0.1805], clipped) / 0.9505)
    const y = root(mixed([0.2126, 0.7152, 0.0722], clipped))
    const z = root(mixed([0.0193, 0.1192, 0.9505], clipped) / 1.089)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }
  const luminance = (hex: string) => mixed([0.2126, 0.7152, 0.0722], linear(hex))
  const contrast = (a: string, b: string) => {
    const [low, high] = [luminance(a), luminance(b)].toSorted((a, b) => a - b)
    return (high! + 0.05) / (low! + 0.05)
  }

  const labOf = (color: string, eye: (typeof eyes)[number] = eyes[0]) =>
    toLab(eye.map((weights) => mixed(weights, linear(color))))
  const distance = (a: string, b: string, eye?: (typeof eyes)[number]) => {
    const [one, other] = [labOf(a, eye), labOf(b, eye)]
    return Math.hypot(...one.map((part, at) => part - other[at]!))
  }
  const pairs = (colors: readonly string[]) =>
    colors.flatMap((a, at) => colors.slice(0, at).map((b) => [a, b] as const))

  describe.each([
    ['light', '#ffffff'],
    ['dark', '#18191e'],
  ] as const)('%s', (scheme, surface) => {
    const colors = chartColors[scheme]

    test('every color has enough contrast to the surface', () => {
      for (const color of colors) expect(contrast(color, surface)).toBeGreaterThanOrEqual(3)
    })

    test('hues and semanticColors are distinguishable with any color vision', () => {
      for (const eye of eyes) {
        for (const set of [colors.slice(0, hueCount), colors.slice(hueCount)]) {
          for (const [a, b] of pairs(set)) expect(distance(a, b, eye)).toBeGreaterThan(15)
        }
      }
    })

    test('no two colors look the same, and none is near black or white', () => {
      for (const [a, b] of pairs(colors)) expect(distance(a, b)).toBeGreaterThan(15)
      for (const color of colors) {
        const [lightness = 0] = labOf(color)
        expect(lightness).toBeGreaterThan(25)
        expect(lightness).toBeLessThan(90)
      }
    })
  })
})
