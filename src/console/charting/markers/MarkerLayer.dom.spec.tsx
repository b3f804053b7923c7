import { QueryClientProvider } from '@tanstack/react-query'
import { act, useState } from 'react'
import { expect, test } from 'vitest'
import { markersQuery } from '#console/api/gateway/markers.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { testRoot } from '#console/ui/testing/testRoot.ts'
import type { Marker } from '#contract/console/markers.ts'
import { MarkerLayer } from './MarkerLayer.tsx'
import { shownKinds } from './markerSettings.ts'

// The document of the specs has no popovers: the card is drawn where it is.
Object.assign(HTMLElement.prototype, { showPopover: () => {} })

const minute = 60_000
const opened = Date.parse('2026-11-28T10:00:00.000Z')
const kinds = shownKinds({ shown: true, hidden: [], service: '' })
const items = [1, 20, 40].map((after): Marker => ({
  id: `m${after}`,
  kind: 'deployment',
  at: new Date(opened + after * minute).toISOString(),
  name: `shop ${after}`,
  release: { service: 'shop', version: `${after}`, url: 'https://shop.invalid/releases' },
}))
const noMarks = () => {}

/** A chart of one hour. Its button shows the hour that begins ten minutes later. */
function Chart() {
  const [from, setFrom] = useState(opened)
  const span = { from, to: from + 60 * minute }
  queryClient.setQueryData(markersQuery({ connectionId: 'c1', span, kinds }).queryKey, {
    items,
    counts: {},
    isLooking: false,
  })
  const place = { span, left: 0, right: 600, top: 0, bottom: 100, width: 600, height: 120, zone: 'utc' as const }
  return (
    <>
      <button type="button" onClick={() => setFrom(from + 10 * minute)}>
        Later
      </button>
      <MarkerLayer connectionId="c1" place={place} onMarks={noMarks} />
    </>
  )
}

const { render } = testRoot()

function show(): void {
  render(
    <QueryClientProvider client={queryClient}>
      <Chart />
    </QueryClientProvider>,
  )
}

const marks = () => [...document.querySelectorAll<HTMLElement>('[role=group] button')]
const card = () => document.querySelector('[data-testid=marker-card]')?.textContent

test('an open card stays that of its change while the chart moves on', async () => {
  show()
  const [, second] = marks()
  await act(async () => second?.focus())
  expect(card()).toContain('shop 20')
  await act(async () => document.querySelector('button')?.click())
  expect(marks()).toHaveLength(2)
  expect(card()).toContain('shop 20')
  expect(second?.getAttribute('aria-expanded')).toBe('true')
  expect(second?.tabIndex).toBe(0)
})

test('Escape in a card closes it, and its mark has the focus', async () => {
  show()
  const [first] = marks()
  await act(async () => first?.focus())
  const link = document.querySelector<HTMLElement>('[data-testid=marker-card] a')
  await act(async () => link?.focus())
  const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  await act(async () => link?.dispatchEvent(escape))
  expect(card()).toBeUndefined()
  expect(document.activeElement).toBe(first)
})
