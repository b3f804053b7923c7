// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Axes } from './Axes.tsx'
import { scaleOf } from './layout.ts'

const plot = { left: 40, top: 10, width: 400, height: 200 }

let root: Root
let page: HTMLElement

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  page = document.body.appendChild(document.createElement('div'))
  root = createRoot(page)
})
afterEach(() => {
  act(() => root.unmount())
  page.remove()
})

function draw(timeTicks: number[], valueTicks: number[]) {
  const scale = scaleOf(plot, { from: 0, to: 100 }, [0, 10])
  const [timeLabel, valueLabel] = [(time: number) => `${time} s`, (value: number) => `${value} kB`]
  act(() => root.render(<Axes {...{ plot, scale, timeTicks, timeLabel, valueTicks, valueLabel }} />))
}

const numbers = (selector: string, attribute: string) =>
  [...page.querySelectorAll(selector)].map((one) => Number(one.getAttribute(attribute)))
const labels = () =>
  [...page.querySelectorAll('text')].map((text) => [
    text.textContent,
    Number(text.getAttribute('x')),
    Number(text.getAttribute('y')),
  ])

test('grid and labels lie where the scale puts their times and values', () => {
  draw([0, 50], [0, 5, 10])
  expect(numbers('.recharts-cartesian-grid line', 'y1')).toEqual([210, 110, 10])
  expect(numbers('.recharts-cartesian-grid line', 'x2')).toEqual([440, 440, 440])
  expect(labels()).toEqual([
    ['0 s', 40, 217],
    ['50 s', 240, 217],
    ['0 kB', 32, 210],
    ['5 kB', 32, 110],
    ['10 kB', 32, 10],
  ])
  draw([25], [0, 10])
  expect(numbers('.recharts-cartesian-grid line', 'y1')).toEqual([210, 10])
  expect(labels().map(([label]) => label)).toEqual(['25 s', '0 kB', '10 kB'])
})

test('a range too short for a labelled time has the values still', () => {
  draw([], [0, 10])
  expect(numbers('.recharts-cartesian-grid line', 'y1')).toEqual([210, 10])
  expect(labels().map(([label]) => label)).toEqual(['0 kB', '10 kB'])
})
