import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { webhook } from '#contract/stack/webhooks.ts'
import { EditRecord } from './EditRecord.tsx'
import { gatewayOf } from './testing/gatewayOf.ts'
import { NoteFields, noteForm, noteResource } from './testing/noteResource.tsx'
import { click, fieldOf, fill, renderPage, says, until } from './testing/renderPage.tsx'

const team = webhook.parse({ id: 'w1', name: 'Team', service: 'generic', url: 'https://a.example/', updatedAt: '1' })

let gateway: ReturnType<typeof gatewayOf>
let page: Awaited<ReturnType<typeof renderPage>>

function EditPage() {
  return (
    <EditRecord resource={noteResource} model={noteForm}>
      {(form) => <NoteFields form={form} />}
    </EditRecord>
  )
}

beforeEach(async () => {
  gateway = gatewayOf(team)
  vi.spyOn(globalThis, 'fetch').mockImplementation(gateway.answer)
  page = await renderPage(EditPage)
  await until(() => fieldOf('Name')?.value === 'Team')
})
afterEach(() => page.close())

const saveIsDisabled = () =>
  [...document.querySelectorAll('button')].some(
    ({ textContent, disabled }) => textContent === 'Save webhook' && disabled,
  )

test('saves only a changed form, and opens the page of the record', async () => {
  expect(saveIsDisabled()).toBe(true)
  await fill('Description', 'Night shift')
  await click('Save webhook')
  await until(() => page.path() === '/c/c1/webhooks/w1')
  expect(gateway.stored('w1')).toMatchObject({ name: 'Team', description: 'Night shift', url: 'https://a.example/' })
  expect(says('Webhook Team saved')).toBe(true)
})

test('names the fields that the deployment did not keep', async () => {
  gateway.drop('description')
  await fill('Description', 'Night shift')
  await click('Save webhook')
  await until(() => says('Webhook Team was saved, but this deployment did not keep: Description.'))
})

test('shows a change of the same field by somebody else; taking theirs leaves nothing to save', async () => {
  await fill('Description', 'mine')
  gateway.change('w1', { description: 'theirs' })
  await click('Save webhook')
  await until(() => says('Changed by somebody else'))
  expect(gateway.written).toEqual([])
  expect(saveIsDisabled()).toBe(true)
  await click('Theirs')
  await click('Continue with these values')
  expect(fieldOf('Description')?.value).toBe('theirs')
  expect(says('No changes')).toBe(true)
})

test('keeping mine saves it on top of their other changes', async () => {
  await fill('Description', 'mine')
  gateway.change('w1', { description: 'theirs', name: 'Renamed' })
  await click('Save webhook')
  await until(() => says('Changed by somebody else'))
  await click('Continue with these values')
  expect(fieldOf('Name')?.value).toBe('Renamed')
  await click('Save webhook')
  await until(() => page.path() === '/c/c1/webhooks/w1')
  expect(gateway.stored('w1')).toMatchObject({ name: 'Renamed', description: 'mine' })
  expect(gateway.written).toEqual(['PUT w1'])
})

test('finds by a read that a save with a lost response was applied, and sends nothing twice', async () => {
  await fill('Description', 'Night shift')
  gateway.lose('lost after')
  await click('Save webhook')
  await click('Check now')
  await until(() => page.path() === '/c/c1/webhooks/w1')
  expect(gateway.written).toEqual(['PUT w1'])
})

test('keeps the form if a save with a lost response was not applied, and can save it again', async () => {
  await fill('Description', 'Night shift')
  gateway.lose('lost before')
  await click('Save webhook')
  await click('Check now')
  await until(() => says('Nothing was saved'))
  expect(fieldOf('Description')?.value).toBe('Night shift')
  expect(gateway.written).toEqual([])
  await click('Save webhook')
  await until(() => gateway.stored('w1')?.description === 'Night shift')
})

test('shows an error at an invalid field, and sends nothing', async () => {
  await fill('Name', '')
  await click('Save webhook')
  await until(() => says('Required'))
  expect(fieldOf('Name')?.getAttribute('aria-invalid')).toBe('true')
  expect(gateway.written).toEqual([])
})

function ReviewedPage() {
  return (
    <EditRecord resource={noteResource} model={noteForm} reviewFirst>
      {(form) => <NoteFields form={form} />}
    </EditRecord>
  )
}

async function reopen(...[Page, stage]: Parameters<typeof renderPage>): Promise<void> {
  await page.close()
  page = await renderPage(Page, stage)
  await until(() => fieldOf('Name')?.value === 'Team')
  await fill('Description', 'Night shift')
}

test('what is reviewed first is saved at once on a local stage, and Undo takes it back', async () => {
  await reopen(ReviewedPage, 'local')
  await click('Save webhook')
  await until(() => page.path() === '/c/c1/webhooks/w1')
  expect(gateway.stored('w1')).toMatchObject({ description: 'Night shift' })
  await click('Undo')
  await until(() => says('Save of webhook Team undone'))
  expect(gateway.stored('w1')?.description ?? '').toBe('')
  expect(gateway.stored('w1')).toMatchObject({ name: 'Team', url: 'https://a.example/' })
})

test('Undo writes nothing over a later change by somebody else', async () => {
  await reopen(ReviewedPage, 'local')
  await click('Save webhook')
  await until(() => page.path() === '/c/c1/webhooks/w1')
  gateway.change('w1', { description: 'theirs' })
  await click('Undo')
  await until(() => says('changed'))
  expect(gateway.stored('w1')?.description).toBe('theirs')
})

test.each(['development', 'staging', 'production'] as const)('on a %s stage, it is reviewed first', async (stage) => {
  await reopen(ReviewedPage, stage)
  await click('Review and save')
  await until(() => says('Save webhook Team?'))
  expect(gateway.written).toEqual([])
  await click('Save webhook')
  await until(() => says('Webhook Team saved'))
  expect(says('Undo')).toBe(false)
})

test('what cannot be taken back is reviewed first on a local stage too', async () => {
  await reopen(
    () => (
      <EditRecord resource={noteResource} model={noteForm} reviewFirst undoable={() => false}>
        {(form) => <NoteFields form={form} />}
      </EditRecord>
    ),
    'local',
  )
  await click('Review and save')
  await until(() => says('Save webhook Team?'))
  expect(gateway.written).toEqual([])
})
