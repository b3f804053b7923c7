import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { act, useEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { savedStatementsQuery } from '#console/api/gateway/savedStatements.ts'
import { readDraft } from '#console/charting/sqlDraft.ts'
import { click, connection, renderPage, says, until } from '#console/records/record/testing/renderPage.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import type { SavedStatement } from '#contract/console/savedStatements.ts'
import { retryJob } from '#console/records/bulk/jobs.ts'
import { jobs } from '#console/records/bulk/jobStore.ts'
import { restoreStatements } from './statementActions.ts'
import { useOpenStatement, type OpenStatement } from './useOpenStatement.ts'

const statement = (id: string, name: string): SavedStatement => ({
  id,
  name,
  text: `SELECT '${name}'`,
  author: 'Ada',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  version: 1,
})
const logins = statement('s1', 'Logins')
const orders = statement('s2', 'Orders')
const carts = statement('s3', 'Carts')

let stored: SavedStatement[]
let written: string[]
/** The names whose next saving fails. */
let faults: Map<string, 'refused' | 'lost'>
/** Ends the deletion that is under way. */
let endDeletion: () => void
let edited: OpenStatement
let page: Awaited<ReturnType<typeof renderPage>>

/** Keeps statements as the gateway does. A deletion ends when the test says so. */
async function gateway(input: RequestInfo | URL, { method = 'GET', body }: RequestInit = {}): Promise<Response> {
  const [, id, use] = /\/saved-statements(?:\/(\w+))?(\/uses)?/.exec(String(input)) ?? []
  if (method === 'GET') return Response.json(stored)
  written.push(`${method} ${id ?? ''}${use ?? ''}`.trim())
  if (method === 'DELETE') {
    await new Promise<void>((end) => (endDeletion = end))
    stored = stored.filter((savedStatement) => savedStatement.id !== id)
    return Response.json({})
  }
  if (use) return Response.json({})
  const { name, text } = JSON.parse(String(body)) as SavedStatement // sent by saveStatement
  const fault = faults.get(name)
  faults.delete(name)
  if (fault === 'lost') throw new TypeError('connection lost')
  if (fault === 'refused') {
    return Response.json({ status: 400, code: 'invalid', message: 'The name is taken.' }, { status: 400 })
  }
  const saved = { ...statement(`new${written.length}`, name), text }
  stored = [...stored, saved]
  return Response.json(saved)
}

function Editor() {
  const { data } = useQuery(savedStatementsQuery('c1'))
  const navigate = useNavigate()
  const editor = useOpenStatement(useConnection(), data, () => 'SELECT 1')
  useEffect(() => {
    edited = editor
  })
  return (
    <>
      <p>
        {editor.open?.name ?? 'None'} is open: {editor.text}
      </p>
      <button onClick={() => editor.openStatement(logins)}>Open</button>
      <button onClick={() => void editor.remove(logins)}>Delete</button>
      {/* The router of the spec has other routes than the page's. */}
      <button onClick={() => void navigate({ to: '/elsewhere' as never })}>Leave</button>
    </>
  )
}

const write = (text: string) => act(async () => edited.edit(text))
const restore = (...deleted: SavedStatement[]) => act(() => restoreStatements(connection, deleted))

beforeEach(async () => {
  stored = [logins]
  written = []
  faults = new Map()
  sessionStorage.clear()
  vi.spyOn(globalThis, 'fetch').mockImplementation(gateway)
  page = await renderPage(Editor)
  await click('Open')
  await until(() => says("Logins is open: SELECT 'Logins'"))
})
afterEach(async () => {
  // Messages outlive the page.
  while (document.querySelector('[aria-label="Close notification"]')) await click('Close notification')
  await page.close()
})

async function startDeleting() {
  await click('Delete')
  await until(() => written.includes('DELETE s1'))
}
async function deleteOpen() {
  await startDeleting()
  endDeletion()
  await until(() => says('Statement Logins deleted'))
}

test('what is written while a statement is deleted stays', async () => {
  await startDeleting()
  await write('SELECT 2')
  endDeletion()
  await until(() => says('None is open: SELECT 2'))
  await until(() => page.search() === '')
  expect(readDraft('c1')).toBe('SELECT 2')
})

test('Undo opens the statement again', async () => {
  await deleteOpen()
  await until(() => page.search() === '')
  await click('Undo')
  await until(() => says("Logins is open: SELECT 'Logins'"))
  expect(page.search()).toContain('saved=new')
})

test('Undo opens nothing in place of what was written meanwhile', async () => {
  await deleteOpen()
  await write('SELECT 3')
  await click('Undo')
  await until(() => says('Statement Logins saved again'))
  expect(says('None is open: SELECT 3')).toBe(true)
  expect([page.search(), readDraft('c1')]).toEqual(['', 'SELECT 3'])
})

test.each(['before it is deleted', 'before Undo'])('a page that was opened %s keeps its address', async (when) => {
  await write('SELECT 4')
  if (when === 'before Undo') await deleteOpen()
  else await startDeleting()
  await click('Leave')
  await until(() => page.path() === '/elsewhere')
  endDeletion()
  await click('Undo')
  await until(() => says('Statement Logins saved again'))
  expect([page.path(), page.search(), readDraft('c1')]).toEqual(['/elsewhere', '', 'SELECT 4'])
})

test('a run is noted of the statement as it is saved, and not of its plan', async () => {
  edited.noteRun({ statement: logins.text, explain: 'indexes' })
  edited.noteRun({ statement: 'SELECT 5' })
  expect(written).toEqual([])
  edited.noteRun({ statement: logins.text })
  await until(() => written.includes('POST s1/uses'))
})

test('statements that cannot be saved again keep no others from it, and can be tried again', async () => {
  stored = []
  faults = new Map([['Logins', 'refused']])
  await restore(logins, orders, carts)
  expect(says('Save 3 statements again on Local: 2 of 3 done, 1 not done.')).toBe(true)
  expect(stored.map(({ name }) => name)).toEqual(['Orders', 'Carts'])
  await act(() => retryJob(jobs.state[0]!.id))
  await until(() => says('Statement Logins saved again'))
  expect(stored.map(({ name }) => name)).toEqual(['Orders', 'Carts', 'Logins'])
})

test('a statement that may be saved is not saved again', async () => {
  stored = []
  faults = new Map<string, 'refused' | 'lost'>([
    ['Logins', 'lost'],
    ['Orders', 'refused'],
  ])
  await restore(logins, orders)
  expect(says('Save 2 statements again on Local: 0 of 2 done, 2 not done.')).toBe(true)
  await act(() => retryJob(jobs.state[0]!.id))
  await until(() => says('Statement Orders saved again'))
  expect(stored.map(({ name }) => name)).toEqual(['Orders'])
})
