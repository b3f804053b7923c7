import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { webhook, webhooks, type Webhook } from '#contract/stack/webhooks.ts'
import { defineResource, type CrudResource, type Resource, type Uses } from './resource.ts'
import { RecordDetail } from './RecordDetail.tsx'
import { ResourceLoader } from './RecordLoader.tsx'
import { gatewayOf } from './testing/gatewayOf.ts'
import { noteResource } from './testing/noteResource.tsx'
import { choose, click, fill, renderPage, says, until } from './testing/renderPage.tsx'

const team = webhook.parse({ id: 'w1', name: 'Team', service: 'generic', url: 'https://a.example/', updatedAt: '1' })

let gateway: ReturnType<typeof gatewayOf>
let close: () => Promise<void> = async () => {}

async function open(resource: Resource<Webhook> | CrudResource<Webhook> = noteResource) {
  const page = await renderPage(() => (
    <ResourceLoader resource={resource}>
      {(record) => (
        <RecordDetail resource={resource} record={record}>
          No panels
        </RecordDetail>
      )}
    </ResourceLoader>
  ))
  close = page.close
  await until(() => says('Team'))
  return page
}

beforeEach(() => {
  gateway = gatewayOf(team)
  vi.spyOn(globalThis, 'fetch').mockImplementation(gateway.answer)
})
afterEach(() => close())

test('deletes a record after a confirmation, opens its list, and recreates it with a new ID on Undo', async () => {
  const page = await open()
  await choose('Delete')
  await until(() => says('Delete webhook Team?'))
  expect(says('Deliveries stop. Undo recreates it with a new ID.')).toBe(true)
  await click('Delete webhook')
  await until(() => page.path() === '/c/c1/webhooks')
  expect(gateway.stored('w1')).toBeUndefined()
  await click('Undo')
  await until(() => says('Webhook Team was recreated with a new ID.'))
  expect(gateway.written).toEqual(['DELETE w1', 'POST new-1'])
  expect(gateway.stored('new-1')).toMatchObject({ name: 'Team', url: 'https://a.example/' })
})

test('does not delete a record that somebody else changed meanwhile', async () => {
  await open()
  gateway.change('w1', { description: 'still needed' })
  await choose('Delete')
  await click('Delete webhook')
  await until(() => says('changed'))
  expect(gateway.stored('w1')?.description).toBe('still needed')
  expect(gateway.written).toEqual([])
})

test('does not delete a record in use, and shows what uses it', async () => {
  const uses: Uses = { count: 1, summary: '1 alert', blocking: true, links: () => 'Errors' }
  await open({
    ...noteResource,
    uses: { read: async () => uses, blocked: 'Remove it from the alert first.', left: '' },
  })
  await choose('Delete')
  await until(() => says('Team is in use'))
  expect(says('Used by 1 alert. Remove it from the alert first.')).toBe(true)
  expect(gateway.written).toEqual([])
})

test('offers no Undo for a record that cannot be recreated, and says so', async () => {
  const { deletion } = noteResource
  const page = await open({
    ...noteResource,
    deletion: { ...deletion, irreversible: () => 'its URL cannot be read' },
  })
  await choose('Delete')
  await until(() => says('It cannot be restored: its URL cannot be read.'))
  await click('Delete webhook')
  await until(() => page.path() === '/c/c1/webhooks' && says('Webhook Team deleted'))
  expect(gateway.stored('w1')).toBeUndefined()
})

test('a deletion that cannot be undone asks for the name, and offers no Undo', async () => {
  const page = await open({ ...noteResource, deletion: { effect: 'Deliveries stop for good.' } })
  await choose('Delete')
  await until(() => says('Deliveries stop for good.'))
  expect(says('Undo recreates')).toBe(false)
  await fill('Type Team to confirm', 'Team')
  await click('Delete webhook')
  await until(() => page.path() === '/c/c1/webhooks' && says('Webhook Team deleted'))
  expect(says('Undo')).toBe(false)
  expect(gateway.written).toEqual(['DELETE w1'])
})

test('a resource without a deletion offers Edit alone', async () => {
  const { noun, paths, nameOf } = noteResource
  await open(defineResource({ api: webhooks, noun, idParams: ['webhookId'], paths, nameOf }))
  const buttons = () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent)
  await until(() => buttons().includes('Edit'))
  await click('More actions')
  await until(() => document.querySelector('[role=menuitem]'))
  const items = [...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent)
  expect([...buttons(), ...items]).not.toContain('Delete')
})
