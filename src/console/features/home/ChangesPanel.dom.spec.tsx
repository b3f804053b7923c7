import { act } from 'react'
import { expect, test } from 'vitest'
import { renderPage, until } from '#console/records/record/testing/renderPage.tsx'
import type { Change } from '#contract/console/history.ts'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { ChangesPanel } from './ChangesPanel.tsx'
import type { HomeEnvironment } from './useHome.ts'

const connection = sampleConnection({ id: 'eu', name: 'Production EU', stage: 'production' })
const change = (id: number, more: Partial<Change> = {}): Change => ({
  id,
  at: `2026-11-28T1${id}:00:00.000Z`,
  kind: 'alerts',
  recordId: `r${id}`,
  name: `Alert ${id}`,
  action: 'updated',
  cause: 'console',
  outcome: 'done',
  ...more,
})
const changes = [change(3, { actor: 'ann@example.com' }), change(2, { cause: 'outside' }), change(1)]
const environment: HomeEnvironment = {
  connection,
  state: undefined,
  problem: undefined,
  firing: [],
  firingUnknown: undefined,
  problems: undefined,
  isReading: false,
  changes,
}

const listed = () => [...document.querySelectorAll('ol li a')].map(({ textContent }) => textContent)

test('the last changes are narrowed to one author, and back to those of everyone', async () => {
  const { close } = await renderPage(() => <ChangesPanel environments={[environment]} />)
  const author = await until(() => document.querySelector<HTMLElement>('[role=combobox]'))
  const chooses = async (name: string) => {
    await act(async () => author.click())
    const options = () => [...document.querySelectorAll<HTMLElement>('[role=option]')]
    const option = await until(() => options().find(({ textContent }) => textContent === name))
    await act(async () => option.click())
  }
  expect(listed()).toEqual(['Alert 3', 'Alert 2', 'Alert 1'])
  await chooses('Outside')
  expect(listed()).toEqual(['Alert 2'])
  await chooses('ann@example.com')
  expect(listed()).toEqual(['Alert 3'])
  await chooses('Everyone')
  expect(listed()).toHaveLength(3)
  await close()
})
