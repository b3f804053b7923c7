// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NewRecord } from './NewRecord.tsx'
import { gatewayOf } from './testing/gatewayOf.ts'
import { NoteFields, noteForm, noteResource } from './testing/noteResource.tsx'
import { click, fieldOf, fill, renderPage, says, until } from './testing/renderPage.tsx'

const gateway = gatewayOf()
let page: Awaited<ReturnType<typeof renderPage>>

beforeEach(async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(gateway.answer)
  page = await renderPage(() => (
    <NewRecord resource={noteResource} model={noteForm} start={{ name: '', description: '' }} lead="An HTTP endpoint.">
      {(form) => <NoteFields form={form} />}
    </NewRecord>
  ))
  await until(() => fieldOf('Name'))
})
afterEach(() => page.close())

test('asks for confirmation before leaving a changed form, from the first field on', async () => {
  expect(says('Cancel')).toBe(true)
  await fill('Name', 'Team')
  await click('Discard')
  await until(() => says('Leave without saving?'))
  await click('Keep editing')
  expect(fieldOf('Name')?.value).toBe('Team')
})

test('shows a rejected value at its field, and keeps the input', async () => {
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
