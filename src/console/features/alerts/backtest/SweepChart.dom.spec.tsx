import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { testRoot } from '#console/ui/testing/testRoot.ts'
import type { Sweep } from '#domain/alerting/sweep.ts'
import { SweepChart } from './SweepChart.tsx'

const { page, render } = testRoot()
const onPick = vi.fn<(threshold: number) => void>()
beforeEach(() => onPick.mockClear())

const sweep: Sweep = {
  points: [10, 20, 30].map((threshold, at) => ({ threshold, firings: 3 - at })),
  between: 'higher',
  flat: null,
}

function slider(threshold: number | null): HTMLElement {
  render(<SweepChart sweep={sweep} unit="number" threshold={threshold} firings={1} onPick={onPick} />)
  return page().querySelector<HTMLElement>('[role=slider]')!
}

const press = (element: HTMLElement, event: Event) => act(() => void element.dispatchEvent(event))
const key = (name: string) => new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })

test('only the main button of the pointer picks a threshold', () => {
  const chart = slider(20)
  press(chart, new PointerEvent('pointerdown', { button: 2, bubbles: true }))
  expect(onPick).not.toHaveBeenCalled()
  press(chart, new PointerEvent('pointerdown', { button: 0, bubbles: true }))
  expect(onPick).toHaveBeenCalledOnce()
})

test('keys lead to the ends and from point to point, also from a threshold between or without one', () => {
  for (const [threshold, name, picked] of [
    [20, 'ArrowRight', 30],
    [20, 'PageDown', 10],
    [12, 'Home', 10],
    [null, 'Home', 10],
    [28, 'End', 30],
  ] as const) {
    press(slider(threshold), key(name))
    expect(onPick).toHaveBeenLastCalledWith(picked)
  }
  onPick.mockClear()
  press(slider(20), key('Tab'))
  expect(onPick).not.toHaveBeenCalled()
})

test('the value of the slider is between its ends, also for a threshold outside of the points', () => {
  for (const threshold of [5, 20, 99]) {
    const [low, now, high] = ['valuemin', 'valuenow', 'valuemax'].map((name) =>
      Number(slider(threshold).getAttribute(`aria-${name}`)),
    )
    expect(now).toBe(threshold)
    expect([low, now, high]).toEqual([Math.min(10, threshold), threshold, Math.max(30, threshold)])
  }
})
