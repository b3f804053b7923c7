import { assert, double, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { pageOf, positionOf, shareOf, stepOf, valueAfterKey, valueAt, type SliderRange } from './sliderScale.ts'

const cpu: SliderRange = { min: 125, max: 2000, step: 1, doubling: true }
const memory: SliderRange = { min: 0.5, max: 8, step: 0.125, doubling: true }
const replicas: SliderRange = { min: 1, max: 10, step: 1 }
const stops = [8, 16, 32, 64, 128, 236, 356]
const sizes: SliderRange = { min: 8, max: 356, step: 4, stops }
const ranges = [cpu, memory, replicas, { min: 8, max: 356, step: 4 }, sizes]

test('integer positions of a doubling range are its sizes', () => {
  expect([0, 1, 2, 3, 4].map((at) => valueAt(cpu, at))).toEqual([125, 250, 500, 1000, 2000])
  expect([0, 1, 2, 3, 4].map((at) => valueAt(memory, at))).toEqual([0.5, 1, 2, 4, 8])
  expect([0.5, 1].map((value) => shareOf(memory, value))).toEqual([0, 0.25])
})

test.each(ranges)('%j: a value on a step is kept, every position is a value within', (range) => {
  const steps = Math.floor((range.max - range.min) / range.step)
  assert(
    property(integer({ min: 0, max: steps }), double({ min: -10, max: 400, noNaN: true }), (at, position) => {
      const value = range.min + at * range.step
      expect(valueAt(range, positionOf(range, value))).toBeCloseTo(value, 9)
      const any = valueAt(range, position)
      expect(any).toBeGreaterThanOrEqual(range.min)
      expect(any).toBeLessThanOrEqual(range.max)
      expect(shareOf(range, value)).toBeGreaterThanOrEqual(0)
      expect(shareOf(range, value)).toBeLessThanOrEqual(1)
    }),
  )
})

test('a key always moves the slider, except at its ends', () => {
  const cores: SliderRange = { min: 1000, max: 32_000, step: 1000, doubling: true }
  for (const range of [cpu, memory, cores]) {
    for (let value = range.min; value < range.max;) {
      const next = valueAfterKey(range, value, positionOf(range, value) + 0.05)
      expect(next).toBeGreaterThan(value)
      expect(valueAfterKey(range, next, positionOf(range, next) - 0.05)).toBeLessThan(next)
      value = next
    }
    expect(valueAfterKey(range, range.max, positionOf(range, range.max))).toBe(range.max)
  }
})

test('stops are at equal distances, and each arrow key moves by one step between them', () => {
  expect(stops.map((value) => positionOf(sizes, value))).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect([0, 1, 2, 3, 4, 5, 6].map((at) => valueAt(sizes, at))).toEqual(stops)
  expect(valueAt(sizes, 4.5)).toBe(184)
  // Beyond the range, as a value that is in force may be.
  expect([positionOf(sizes, 4), positionOf(sizes, 400)]).toEqual([0, 6])
  for (let value = 8; value < 356; value += 4) {
    const next = valueAfterKey(sizes, value, positionOf(sizes, value) + stepOf(sizes, false))
    expect(next).toBe(value + 4)
    expect(valueAfterKey(sizes, next, positionOf(sizes, next) - stepOf(sizes, false))).toBe(value)
  }
  expect(valueAfterKey(sizes, 128, positionOf(sizes, 128) + pageOf(sizes, false))).toBe(236)
})

test('a page step is larger than a step and smaller than the range', () => {
  expect(pageOf(replicas, false)).toBe(2)
  expect(pageOf({ min: 0, max: 34, step: 1 }, false)).toBe(7)
  expect(pageOf({ min: 8, max: 356, step: 4 }, false)).toBe(68)
  expect([pageOf(cpu, false), pageOf(cpu, true)]).toEqual([2, 1])
})
