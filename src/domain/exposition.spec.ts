import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatExposition, parseExposition } from './exposition.ts'

const names = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/)
// Only a line feed ends a line, and it is escaped.
const values = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\r', ''))

describe('Prometheus text format', () => {
  it('parses what it formats', () => {
    const samples = fc.array(fc.record({ labels: fc.dictionary(names, values), value: fc.double({ noNaN: true }) }))
    fc.assert(
      fc.property(names, values, samples, (name, help, given) => {
        const text = formatExposition([{ name, type: 'gauge', help, samples: given }])
        expect(parseExposition(text)).toEqual(
          given.map(({ labels, value }) => ({ name, labels: { ...labels }, value: Object.is(value, -0) ? 0 : value })),
        )
      }),
    )
  })

  it('parses the output of other servers', () => {
    const text =
      '# TYPE up gauge\nup 1\nbroken{a="1" 2\nrate{le="+Inf",path="a\\"b,}c"} 1.5e3 1700000000000\r\nlimit NaN\n'
    expect(parseExposition(text)).toEqual([
      { name: 'up', labels: {}, value: 1 },
      { name: 'rate', labels: { le: '+Inf', path: 'a"b,}c' }, value: 1500 },
      { name: 'limit', labels: {}, value: Number.NaN },
    ])
  })

  it('omits a metric without samples', () => {
    expect(formatExposition([{ name: 'none', type: 'counter', help: 'nothing', samples: [] }])).toBe('')
  })
})
