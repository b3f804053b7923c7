import { expect, test } from 'vitest'
import { memoryNote, memorySlider } from './sizeSliders.ts'

test('the slider has every multiple of 4 from 8 to 356 GiB, whatever the tier allows', () => {
  expect(memorySlider.range).toMatchObject({ min: 8, max: 356, step: 4 })
  expect(memorySlider.marks.map(({ value }) => value)).toEqual([8, 16, 32, 64, 128, 236, 356])
})

test.each([
  [{ tier: 'production' }, 120, undefined],
  [{ tier: 'production' }, 124, 'More than 120 GiB per replica needs a paid organization.'],
  [{}, 356, 'More than 120 GiB per replica needs a paid organization.'],
  [{ tier: 'dedicated_high_mem' }, 356, undefined],
  [{ tier: 'production' }, null, undefined],
  [{ byocId: 'account' }, 48, 'Services in your own account have 48, 116, 172 or 232 GiB.'],
])('says of %j with %j GiB what its tier allows', (service, most, note) => {
  expect(memoryNote(service, most)).toBe(note)
})
