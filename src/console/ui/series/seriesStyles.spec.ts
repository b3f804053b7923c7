import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hueCount, semanticIndex } from './palette.ts'
import { assignStyles, styleAt, semanticColorOf, preferredStyle } from './seriesStyles.ts'

const named = (names: readonly string[]) => names.map((name) => ({ id: `id of ${name}`, name }))
const stylesOf = (names: readonly string[], dashed = true) => {
  const styles = assignStyles(named(names), { dashed })
  return new Map(names.map((name) => [name, styles.get(`id of ${name}`)]))
}

describe('series styles', () => {
  test('severities, span statuses and HTTP classes have their semantic color', () => {
    const wanted = {
      error: ['ERROR', 'err', 'STATUS_CODE_ERROR', '5xx', '503'],
      warning: ['Warn', 'WARNING', '4xx', '404'],
      info: ['info', 'Notice', '3xx', '304'],
      success: ['Ok', '2xx', '200', 'success'],
      critical: ['FATAL', 'critical', 'panic'],
      neutral: ['debug', 'TRACE', 'Unset', '1xx', '(none)'],
    } as const
    for (const [meaning, names] of Object.entries(wanted))
      for (const name of names) expect(semanticColorOf(name)).toBe(meaning)
    for (const name of ['errors', 'informer', '5', '5000', 'checkout', 'payment 500'])
      expect(semanticColorOf(name)).toBeNull()
    expect(stylesOf(['5xx', '2xx'])).toEqual(
      new Map([
        ['5xx', semanticIndex('error')],
        ['2xx', semanticIndex('success')],
      ]),
    )
  })

  test('an uncontested name has the same style in every chart', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 8 }), (names) => {
        const styles = stylesOf(names)
        for (const name of names) {
          const contested = names.some((other) => other !== name && preferredStyle(other) === preferredStyle(name))
          if (!contested) {
            const movedOnto = [...styles].some(([other, style]) => other !== name && style === preferredStyle(name))
            if (!movedOnto) expect(styles.get(name)).toBe(preferredStyle(name))
          }
        }
      }),
    )
  })

  test('no two series of a chart share a style while another is free, in any order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 * hueCount }), (names) => {
        const styles = stylesOf(names)
        expect(new Set(styles.values()).size).toBe(names.length)
        expect(stylesOf(names.toReversed())).toEqual(new Map([...styles].toReversed()))
      }),
    )
  })

  test('ten series have ten colors where dashes are not visible', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: hueCount, maxLength: hueCount }),
        (names) => {
          const colors = [...stylesOf(names, false).values()].map((style) => styleAt(style ?? 0, false).variable)
          expect(new Set(colors).size).toBe(hueCount)
        },
      ),
    )
  })

  test('names with the same meaning differ by dash where it is visible, else by color', () => {
    const codes = ['500', '502', '503']
    const styles = (dashed: boolean) =>
      [...stylesOf(codes, dashed).values()].map((style) => styleAt(style ?? 0, dashed))
    expect(new Set(styles(true).map(({ variable }) => variable)).size).toBe(1)
    expect(new Set(styles(true).map(({ dash }) => dash.join())).size).toBe(3)
    expect(new Set(styles(false).map(({ variable }) => variable)).size).toBe(3)
  })

  test('a refresh does not change the style of existing series', () => {
    const first = assignStyles(named(['checkout', 'cart', 'web']), { dashed: true })
    const second = assignStyles(named(['a', 'b', 'web', 'cart', 'checkout']), { before: first, dashed: true })
    for (const [id, style] of first) expect(second.get(id)).toBe(style)
    expect(new Set(second.values()).size).toBe(5)
  })

  test('names are distributed over the hues', () => {
    const counts = new Map<number, number>()
    for (let at = 0; at < 1000; at++) {
      const style = preferredStyle(`service-${at}`)
      counts.set(style, (counts.get(style) ?? 0) + 1)
    }
    for (let hue = 0; hue < hueCount; hue++) expect(counts.get(hue) ?? 0).toBeGreaterThan(50)
  })
})
