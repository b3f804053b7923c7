import type { ComponentProps } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { NewRecord } from './NewRecord.tsx'
import { gatewayOf } from './testing/gatewayOf.ts'
import { NoteFields, noteForm, noteResource } from './testing/noteResource.tsx'
import { click, fieldOf, fill, renderPage, says, until } from './testing/renderPage.tsx'

const gateway = gatewayOf()
let page: Awaited<ReturnType<typeof renderPage>>

const start = { name: '', description: '' }

async function open(options: Partial<ComponentProps<typeof NewRecord<Webhook, typeof start>>> = {}): Promise<void> {
  page = await renderPage(() => (
    <NewRecord resource={noteResource} model={noteForm} start={start} lead="An HTTP endpoint." {...options}>
      {(form) => <NoteFields form={form} />}
    </NewRecord>
  ))
  await until(() => fieldOf('Name'))
}

beforeEach(() => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(gateway.answer)
})
afterEach(() => page.close())

test('asks for confirmation before leaving a changed form, from the first field on', async () => {
  await open()
  expect(says('Cancel')).toBe(true)
  await fill('Name', 'Team')
  await click('Discard')
  await until(() => says('Leave without saving?'))
  await click('Keep editing')
  expect(fieldOf('Name')?.value).toBe('Team')
})

test('shows a rejected value at its field, and keeps the input', async () => {
  await open()
  const refusal = {
    status: 400,
    code: 'invalid',
    message: 'Invalid',
    fields: [{ path: 'name', message: 'Name taken' }],
  }
  await fill('Name', 'Team')
  vi.mocked(fetch).mockResolvedValueOnce(Response.json(refusal, { status: 400 }))
  await click('Create webhook')
  await until(() => says('Name taken'))
  expect(fieldOf('Name')?.getAttribute('aria-invalid')).toBe('true')
  expect(fieldOf('Name')?.value).toBe('Team')
})

test('sends the record once, and says that it was created', async () => {
  await open()
  await fill('Name', 'Team')
  expect(gateway.written).toEqual([])
  await click('Create webhook')
  await until(() => says('Webhook Team created'))
  expect(gateway.written).toHaveLength(1)
})
