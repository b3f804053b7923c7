import { expect, test } from 'vitest'
import { readableJson } from './readableJson.ts'

test.each([
  ['{"a":12345678901234567890}', { text: '{\n  "a": 12345678901234567890\n}' }],
  ['{"a":', { text: '{"a":', problem: expect.stringMatching(/^The body is not valid JSON\. /) }],
  ['', { text: '', problem: 'The body is not valid JSON.' }],
])('%s', (body, readable) => {
  expect(readableJson(body)).toEqual(readable)
})
