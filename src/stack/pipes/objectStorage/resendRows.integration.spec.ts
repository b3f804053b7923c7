/** Bad rows of files that are loaded again. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPipeFiles, type PipeFiles } from '../../testing/pipeFiles.ts'
import { isRequested } from './resendRows.ts'

let pipes: PipeFiles
beforeAll(async () => {
  pipes = await startPipeFiles()
})
afterAll(() => pipes.close())

type Loaded = Awaited<ReturnType<PipeFiles['pipe']>>
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 50 })
const write = (name: string, content: string | Buffer) => writeFile(join(pipes.files, name), content)
const resend = ({ id }: Loaded) => pipes.control.call('POST', `/datapipes/${id}/badRecords/resend`, {})
const badOf = async ({ id }: Loaded): Promise<{ topic: string; offset: string; reason: string; raw: string }[]> =>
  (await pipes.control.call('GET', `/datapipes/${id}/badRecords`)).json.result
const ids = async ({ table }: Loaded) =>
  (await pipes.engine.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => Number(id))
/** JSON lines of numbers. */
const lines = (...values: unknown[]) => values.map((id) => `{"id":${String(id)},"text":"t"}\n`).join('')

async function completed(loaded: Loaded, detail: string): Promise<void> {
  await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: detail })
}

test('after the file was corrected', async () => {
  await write('corrected.jsonl', lines(0, 'oops', 2, -3, 4))
  const loaded = await pipes.pipe({ url: 'corrected.jsonl' })
  await completed(loaded, '1 file loaded. 2 bad records, see their table')
  expect((await badOf(loaded)).map(({ offset, raw }) => [offset, raw]).toSorted()).toEqual([
    ['1', lines('oops').trim()],
    ['3', lines(-3).trim()],
  ])
  await write('corrected.jsonl', lines(0, 1, 2, -3, 4))
  expect(await resend(loaded)).toMatchObject({ status: 200 })
  await completed(loaded, '1 file loaded. 1 bad record, see their table')
  expect(await ids(loaded)).toEqual([0, 1, 2, 4])
  expect((await badOf(loaded)).map(({ offset }) => offset)).toEqual(['3'])
  // Again, with nothing corrected: nothing is loaded twice.
  await resend(loaded)
  await eventually(() => isRequested(pipes.stack.store, loaded.id)).toBe(false)
  await completed(loaded, '1 file loaded. 1 bad record, see their table')
  expect(await ids(loaded)).toEqual([0, 1, 2, 4])
})

test('after the table was corrected, without files that have come since', async () => {
  await write('table-1.jsonl', lines(1))
  const source = { url: 'table-*.jsonl', isContinuous: true }
  const loaded = await pipes.pipe(source, { settings: { object_storage_polling_interval_ms: 100 } })
  await eventually(loaded.get).toMatchObject({ stateDetail: 'all files loaded, waiting for new ones' })
  await pipes.engine.command(`ALTER TABLE ${loaded.table} ADD CONSTRAINT most CHECK id < 100`)
  await write('table-2.jsonl', lines(2, 200, 3))
  await eventually(loaded.get).toMatchObject({
    stateDetail: 'all files loaded, waiting for new ones. 1 bad record, see their table',
  })
  expect(await ids(loaded)).toEqual([1, 2, 3])
  await pipes.engine.command(`ALTER TABLE ${loaded.table} DROP CONSTRAINT most`)
  await resend(loaded)
  await eventually(loaded.get).toMatchObject({ stateDetail: 'all files loaded, waiting for new ones' })
  expect(await ids(loaded)).toEqual([1, 2, 3, 200])
})

test('by a pipe that has ended, without files that have come since', async () => {
  await write('ended-1.jsonl', lines(0, 'oops', 2))
  const loaded = await pipes.pipe({ url: 'ended-*.jsonl' })
  await completed(loaded, '1 file loaded. 1 bad record, see their table')
  await write('ended-1.jsonl', lines(0, 1, 2))
  await write('ended-2.jsonl', lines(7))
  await resend(loaded)
  await completed(loaded, '1 file loaded')
  expect(await ids(loaded)).toEqual([0, 1, 2])
})

test('in rows of several lines', async () => {
  await write('several.csv', 'id,text\n1,"a\nb"\nx,"c\nd"\n3,"e""\nf"\n4,g,h\n5,i\n')
  const loaded = await pipes.pipe({ url: 'several.csv', format: 'CSVWithNames' })
  await completed(loaded, '1 file loaded. 2 bad records, see their table')
  await write('several.csv', 'id,text\n1,"a\nb"\n2,"c\nd"\n3,"e""\nf"\n4,gh\n5,i\n')
  await resend(loaded)
  await completed(loaded, '1 file loaded')
  expect(await pipes.rowsOf(loaded, 'id, text')).toEqual(
    expect.arrayContaining([
      { id: '1', text: 'a\nb' },
      { id: '2', text: 'c\nd' },
      { id: '3', text: 'e"\nf' },
      { id: '4', text: 'gh' },
      { id: '5', text: 'i' },
    ]),
  )
  expect(await ids(loaded)).toEqual([1, 2, 3, 4, 5])
})

test('of a file that ended too early, with its rest', { timeout: 120_000 }, async () => {
  const numbers = Array.from({ length: 100_000 }, (_, at) => at)
  const whole = gzipSync(numbers.map((id) => `{"id":${id === 7 ? -7 : id},"text":"${Math.sin(id)}"}\n`).join(''))
  await write('early.jsonl.gz', whole.subarray(0, whole.length / 2))
  const loaded = await pipes.pipe({ url: 'early.jsonl.gz' })
  await completed(loaded, '1 file loaded. 2 bad records, see their table')
  await write('early.jsonl.gz', whole)
  await resend(loaded)
  await completed(loaded, '1 file loaded. 1 bad record, see their table')
  expect(await pipes.rowsOf(loaded, 'count() AS rows, uniqExact(id) AS ids, max(id) AS last')).toEqual([
    { rows: '99999', ids: '99999', last: '99999' },
  ])
})

test('of a file whose last line was cut off, with the lines after it', async () => {
  await write('cut.jsonl', lines(0, 1, 2).slice(0, -9))
  const loaded = await pipes.pipe({ url: 'cut.jsonl' })
  await completed(loaded, '1 file loaded. 1 bad record, see their table')
  await write('cut.jsonl', lines(0, 1, 2, 3, 4))
  await resend(loaded)
  await completed(loaded, '1 file loaded')
  expect(await ids(loaded)).toEqual([0, 1, 2, 3, 4])
})

test('not of a file that has other lines now, or that is gone', async () => {
  await write('moved.jsonl', lines(0, 'oops', 2))
  const loaded = await pipes.pipe({ url: 'moved.jsonl' })
  await completed(loaded, '1 file loaded. 1 bad record, see their table')
  await write('moved.jsonl', lines(0, 2))
  await resend(loaded)
  await eventually(async () => (await badOf(loaded)).map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/\. The file has other lines than when it was loaded$/),
  ])
  await completed(loaded, '1 file loaded. 1 bad record, see their table')
  expect(await ids(loaded)).toEqual([0, 2])
  await rm(join(pipes.files, 'moved.jsonl'))
  await resend(loaded)
  await eventually(async () => (await badOf(loaded)).map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/\. The file is not there any more$/),
  ])
})

test('by a pipe that waits for new files', async () => {
  await write('live-1.jsonl', lines(0, 'oops', 2))
  const loaded = await pipes.pipe(
    { url: 'live-*.jsonl', isContinuous: true },
    { settings: { object_storage_polling_interval_ms: 3000 } },
  )
  await eventually(loaded.get).toMatchObject({
    stateDetail: 'all files loaded, waiting for new ones. 1 bad record, see their table',
  })
  await write('live-1.jsonl', lines(0, 1, 2))
  await resend(loaded)
  await eventually(loaded.get).toMatchObject({ stateDetail: 'all files loaded, waiting for new ones' })
  expect(await ids(loaded)).toEqual([0, 1, 2])
})
