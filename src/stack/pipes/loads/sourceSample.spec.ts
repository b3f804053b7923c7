import { expect, test } from 'vitest'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { describeRecords } from './sourceSample.ts'

test('numbers of a sample keep their digits, and have the types that they need', async () => {
  const engine = await temporaryEngine()
  try {
    const line = '{"large":9223372036854775807,"small":7,"share":0.25,"at":"2026-11-18T11:06:40.123456789Z"}'
    const { fields, meta } = await describeRecords([line], engine)
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['large', 'Int64'],
      ['small', 'Int64'],
      ['share', 'Float64'],
      ['at', 'DateTime64(9)'],
    ])
    expect(meta?.['preview']).toEqual([
      { large: '9223372036854775807', small: 7, share: 0.25, at: '2026-11-18T11:06:40.123456789Z' },
    ])
  } finally {
    await engine.close()
  }
})
