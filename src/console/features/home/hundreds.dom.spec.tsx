/** Home with hundreds of connections. */
import { expect, test } from 'vitest'
import { renderPage, until } from '#console/records/record/testing/renderPage.tsx'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { EnvironmentsTable } from './EnvironmentsTable.tsx'
import { FiringPanel } from './FiringPanel.tsx'
import type { HomeEnvironment } from './useHome.ts'

const count = 200

const connectionOf = (at: number) =>
  sampleConnection({ id: `c${at}`, name: `Connection ${at}`, baseUrl: `https://deployment-${at}.invalid` })
const alert = (id: string) => ({ id, name: `Alert ${id}`, source: 'tile', state: 'ALERT' }) as const

const environments = Array.from({ length: count }, (_, at): HomeEnvironment => ({
  connection: connectionOf(at),
  state: undefined,
  problem: undefined,
  firing: [alert('one'), alert('two')],
  firingUnknown: undefined,
  problems: { offered: false },
  isReading: false,
  changes: [],
}))

test('the first lines are there at once, with room for the others, and all of them in the end', async () => {
  const drawn: { rows: number; room: boolean }[] = []
  const rows = () => [...document.querySelectorAll('tbody tr:not([aria-hidden])')]
  const observer = new MutationObserver(() => {
    drawn.push({ rows: rows().length, room: document.querySelector('tbody tr[aria-hidden]') !== null })
  })
  observer.observe(document, { childList: true, subtree: true })
  const { close } = await renderPage(() => <EnvironmentsTable environments={environments} />)
  await until(() => rows().length === count)
  expect(document.querySelector('table')?.getAttribute('aria-rowcount')).toBe(String(count + 1))
  expect(document.querySelector('tbody tr[aria-hidden]')).toBeNull()
  expect(rows().map((row) => row.querySelector('th a')?.textContent)).toEqual(
    environments.map(({ connection }) => connection.name),
  )
  const [first] = drawn.filter(({ rows }) => rows > 0)
  expect(first).toMatchObject({ rows: 30, room: true })
  observer.disconnect()
  await close()
})

test('what is still being read stands still in all lines', async () => {
  const reading = environments.map((environment) => ({ ...environment, firing: undefined, isReading: true }))
  const { close } = await renderPage(() => <EnvironmentsTable environments={reading} />)
  await until(() => document.querySelectorAll('tbody tr:not([aria-hidden])').length === count)
  const places = [...document.querySelectorAll('tbody [data-variant=text]')]
  expect(places.length).toBeGreaterThan(count)
  expect(places.filter((place) => !place.hasAttribute('data-still'))).toEqual([])
  await close()
})

test('of many firing alerts the first connections are listed, and the others counted', async () => {
  const { close } = await renderPage(() => <FiringPanel environments={environments} />)
  const items = () =>
    [...document.querySelectorAll('ul[aria-label="Firing alerts"] > li')].map((item) => item.textContent)
  await until(() => items().length > 0)
  expect(items()).toHaveLength(61)
  expect(items().at(-1)).toBe('340 more alerts on 170 other connections')
  await close()
})
