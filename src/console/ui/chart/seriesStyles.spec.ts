import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hueCount, meaningPlace } from './palette.ts'
import { assignLooks, lookStyle, meaningOf, preferredLook } from './seriesStyles.ts'

const named = (names: readonly string[]) => names.map((name) => ({ id: `id of ${name}`, name }))
const looksOf = (names: readonly string[], dashed = true) => {
  const looks = assignLooks(named(names), { dashed })
  return new Map(names.map((name) => [name, looks.get(`id of ${name}`)]))
}

describe('looks of series', () => {
  test('severities, span statuses and HTTP classes have the colour of their meaning', () => {
    const wanted = {
      error: ['ERROR', 'err', 'STATUS_CODE_ERROR', '5xx', '503'],
      warning: ['Warn', 'WARNING', '4xx', '404'],
      info: ['info', 'Notice', '3xx', '304'],
      success: ['Ok', '2xx', '200', 'success'],
      critical: ['FATAL', 'critical', 'panic'],
      neutral: ['debug', 'TRACE', 'Unset', '1xx', '(none)'],
    } as const
    for (const [meaning, names] of Object.entries(wanted))
      for (const name of names) expect(meaningOf(name)).toBe(meaning)
    for (const name of ['errors', 'informer', '5', '5000', 'checkout', 'payment 500'])
      expect(meaningOf(name)).toBeNull()
    expect(looksOf(['5xx', '2xx'])).toEqual(
      new Map([
        ['5xx', meaningPlace('error')],
        ['2xx', meaningPlace('success')],
      ]),
    )
  })

  test('a name that nothing contests has the same look in every chart', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 8 }), (names) => {
        const looks = looksOf(names)
        for (const name of names) {
          const contested = names.some((other) => other !== name && preferredLook(other) === preferredLook(name))
          if (!contested) {
            const movedOnto = [...looks].some(([other, look]) => other !== name && look === preferredLook(name))
            if (!movedOnto) expect(looks.get(name)).toBe(preferredLook(name))
          }
        }
      }),
    )
  })

  test('no two series of a chart look the same while another look is free, and their order does not matter', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 * hueCount }), (names) => {
        const looks = looksOf(names)
        expect(new Set(looks.values()).size).toBe(names.length)
        expect(looksOf(names.toReversed())).toEqual(new Map([...looks].toReversed()))
      }),
    )
  })

  test('where dashes cannot be seen, ten series have ten colours', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: hueCount, maxLength: hueCount }),
        (names) => {
          const colors = [...looksOf(names, false).values()].map((look) => lookStyle(look ?? 0, false).variable)
          expect(new Set(colors).size).toBe(hueCount)
        },
      ),
    )
  })

  test('several names of one meaning differ by dash where it can be seen, else by colour', () => {
    const codes = ['500', '502', '503']
    const styles = (dashed: boolean) => [...looksOf(codes, dashed).values()].map((look) => lookStyle(look ?? 0, dashed))
    expect(new Set(styles(true).map(({ variable }) => variable)).size).toBe(1)
    expect(new Set(styles(true).map(({ dash }) => dash.join())).size).toBe(3)
    expect(new Set(styles(false).map(({ variable }) => variable)).size).toBe(3)
  })

  test('a refresh repaints nothing that was there', () => {
    const first = assignLooks(named(['checkout', 'cart', 'web']), { dashed: true })
    const second = assignLooks(named(['a', 'b', 'web', 'cart', 'checkout']), { before: first, dashed: true })
    for (const [id, look] of first) expect(second.get(id)).toBe(look)
    expect(new Set(second.values()).size).toBe(5)
  })

  test('names spread over the hues', () => {
    const counts = new Map<number, number>()
    for (let at = 0; at < 1000; at++) {
      const look = preferredLook(`service-${at}`)
      counts.set(look, (counts.get(look) ?? 0) + 1)
    }
    for (let hue = 0; hue < hueCount; hue++) expect(counts.get(hue) ?? 0).toBeGreaterThan(50)
  })
})
