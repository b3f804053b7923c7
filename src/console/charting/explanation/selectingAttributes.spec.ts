import { expect, test } from 'vitest'
import { withoutSelecting } from './selectingAttributes.ts'

const took = "LogAttributes['took']"

test.each<[text: string, selecting: string[], others: string[]]>([
  ['toString(Duration)', ['Duration'], ['Duration2', "Duration2['a']", 'toString']],
  ['toString(Duration / 1e6)', ['Duration'], ['e6']],
  ["toString(arrayElement(LogAttributes, 'took'))", [took], ["LogAttributes['other']", 'LogAttributes', 'took']],
  ["toString(LogAttributes['took'] * 2 + `Size`)", [took, 'Size'], ["LogAttributes['other']"]],
  ['toString(LogAttributes.took)', [took], ['took', 'LogAttributes']],
  [String.raw`toString(arrayElement(A, 'app\x2Elatency'))`, ["A['app.latency']"], ["A['app']"]],
  [String.raw`toString(arrayElement(A, 'it\'s'))`, [String.raw`A['it\'s']`], []],
  [
    String.raw`toString(${'`'}Payload\x2Eorder\x2Esize${'`'})`,
    ["Payload['order']", "Payload['order.size']"],
    ['order'],
  ],
  ['toString(length(LogAttributes))', [took, "LogAttributes['other']", 'LogAttributes'], ["LogAttributes2['took']"]],
  ["toString(if(ServiceName = 'Duration', 1, 2))", ['ServiceName'], ['Duration']],
])('%s', (text, selecting, others) => {
  const attributes = [...selecting, ...others]
  const none = { values: 0, inside: 0, outside: 0 }
  const counts = attributes.map((attribute) => ({ attribute, values: [], others: none }))
  const left = withoutSelecting({ counts, clocks: attributes }, { text })
  expect(left.counts.map(({ attribute }) => attribute)).toEqual(others)
  expect(left.clocks).toEqual(others)
  expect(withoutSelecting({ counts, clocks: attributes }, undefined)).toEqual({ counts, clocks: attributes })
})
