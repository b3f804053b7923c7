import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hueCount, semanticIndex } from './palette.ts'
import { assignStyles, keptStyles, styleAt, semanticColorOf, type StyleIndex } from './seriesStyles.ts'

const named = (names: readonly string[]) => names.map((name) => ({ id: `id of ${name}`, name }))
const stylesOf = (names: readonly string[], dashed = true, before?: ReadonlyMap<string, StyleIndex>) => {
  const styles = assignStyles(named(names), { dashed, ...(before && { before }) })
  return new Map(names.map((name) => [name, styles.get(`id of ${name}`)]))
}
/** The visible properties of a style. */
const looks = (styles: Iterable<StyleIndex | undefined>, dashed: boolean) =>
  [...styles].map((style) => {
    const { variable, dash } = styleAt(style ?? 0, dashed)
    return `${variable} ${dash.join()}`
  })

/** Names of categories and names with a meaning. */
const anyName = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom(
    'ERROR',
    'error',
    '500',
    '503',
    'warn',
    '404',
    'info',
    'Ok',
    '200',
    '204',
    'debug',
    '(none)',
    'fatal',
  ),
)
const category = fc.string({ minLength: 1 }).filter((name) => semanticColorOf(name) === null)

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

  test('categories take the hues in their order, from the first', () => {
    fc.assert(
      fc.property(fc.uniqueArray(category, { maxLength: hueCount }), fc.boolean(), (names, dashed) => {
        expect([...stylesOf(names, dashed).values()]).toEqual(names.map((_, at) => at))
      }),
    )
    expect([...stylesOf(['checkout', 'ERROR', 'cart']).values()]).toEqual([0, semanticIndex('error'), 1])
  })

  test('no two of ten series look alike, whatever was shown before', () => {
    const names = fc.uniqueArray(anyName, { minLength: 1, maxLength: hueCount })
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.boolean()), { minLength: 1, maxLength: 6 }), (answers) => {
        let before: ReadonlyMap<string, StyleIndex> = new Map()
        for (const [shown, dashed] of answers) {
          const styles = assignStyles(named(shown), { before, dashed })
          expect(new Set(looks(styles.values(), dashed)).size).toBe(shown.length)
          before = keptStyles(styles, before)
        }
      }),
    )
  })

  test('no two series of a chart share a style while another is free, where dashes are visible', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 * hueCount }), (names) => {
        expect(new Set(stylesOf(names).values()).size).toBe(names.length)
      }),
    )
  })

  test('categories beyond ten are neutral where dashes are not visible, and no others are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(category, { minLength: 1, maxLength: 30 }), (names) => {
        const styles = [...stylesOf(names, false).values()]
        expect(new Set(styles.slice(0, hueCount)).size).toBe(Math.min(names.length, hueCount))
        for (const style of styles.slice(0, hueCount)) expect(style).toBeLessThan(hueCount)
        for (const style of styles.slice(hueCount)) expect(style).toBe(semanticIndex('neutral'))
        // It gets a hue once one is free.
        const last = names.at(-1) ?? ''
        const before = assignStyles(named(names), { dashed: false })
        expect(stylesOf([last], false, before).get(last)).toBeLessThan(hueCount)
      }),
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

  test('a series that comes back has its hue again, and no other takes it meanwhile', () => {
    const keep = (names: readonly string[], before: ReadonlyMap<string, StyleIndex>) =>
      keptStyles(assignStyles(named(names), { before, dashed: false }), before)
    const first = keep(['checkout', 'cart'], new Map())
    const second = keep(['web', 'cart'], first)
    const third = keep(['web', 'cart', 'checkout'], second)
    expect([...third.values()].toSorted()).toEqual([0, 1, 2])
    for (const [id, style] of [...first, ...second]) expect(third.get(id)).toBe(style)
  })

  test('a name has its hue of another chart where that is free, whatever its place', () => {
    const elsewhere = new Map([
      ['cart', 0],
      ['web', 0],
      ['checkout', 4],
    ])
    const styles = assignStyles(named(['payment', 'cart', 'web', 'checkout']), { elsewhere, dashed: false })
    expect([...styles]).toEqual(
      expect.arrayContaining([
        ['id of cart', 0],
        ['id of checkout', 4],
        ['id of payment', 1],
        ['id of web', 2],
      ]),
    )
  })
})
