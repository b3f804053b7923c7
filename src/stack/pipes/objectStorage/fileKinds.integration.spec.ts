/** Files that are not what their pipe reads, and rows of CSV that are none. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPipeFiles, type PipeFiles } from '../../testing/pipeFiles.ts'

let pipes: PipeFiles
beforeAll(async () => {
  pipes = await startPipeFiles()
})
afterAll(() => pipes.close())

const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 50 })
const rows = '{"id":1,"text":"a"}\n{"id":2,"text":"b"}\n'
/** A header of a tar archive, as far as it says that it is one. */
const tar = Buffer.concat([Buffer.from('rows.jsonl'.padEnd(257, '\0')), Buffer.from('ustar\0'), Buffer.alloc(249)])
/** The bzip2 form of a text of four lines. */
const bzip2 = Buffer.from(
  '425a6839314159265359c391555d000004c180001006449080200020aa83650430236888c5561e547c5dc914e142430e455574',
  'hex',
)

test.each([
  ['other.jsonl.bz2', 'compressed with bzip2', bzip2],
  ['other.jsonl', 'compressed with bzip2', bzip2],
  ['archive.jsonl.gz', 'a tar archive', gzipSync(tar)],
  ['archive.jsonl', 'a ZIP archive', Buffer.from('504b0304140000000800', 'hex')],
  ['wide.jsonl', 'text in UTF-16', Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(rows, 'utf16le')])],
])('%s is skipped, and its reason says what it is: %s', async (name, what, content) => {
  await writeFile(join(pipes.files, name), content)
  const loaded = await pipes.pipe({ url: name })
  await eventually(loaded.get).toMatchObject({
    state: 'Failed',
    stateDetail: expect.stringContaining(`1 of 1 files could not be read. ${name}: it is ${what}`),
  })
})

test.each([
  ['JSONEachRow', 'Parquet', 'it is a Parquet file'],
  ['CSV', 'Avro', 'it is an Avro file'],
  ['Parquet', 'JSONEachRow', 'it is no Parquet file'],
  ['Avro', 'Parquet', 'it is a Parquet file'],
])('a pipe for %s says of a file in %s: %s', async (format, written, reason) => {
  const name = `${format}-${written}.data`
  await pipes.engine.command(
    `INSERT INTO FUNCTION file('${pipes.files}/${name}', '${written}') SELECT number AS id, 'x' AS text FROM numbers(100)`,
  )
  const loaded = await pipes.pipe({ url: name, format }, { fieldMappings: undefined })
  await eventually(loaded.get).toMatchObject({
    state: 'Failed',
    stateDetail: expect.stringContaining(`${name}: ${reason}`),
  })
})

test('rows of CSV that are none cost only themselves', async () => {
  const many = Array.from({ length: 12_000 }, (_, at) => `${at + 10},"row, ${at}"`)
  const lines = [
    'id,text',
    '1,"a"',
    // Not closed.
    '2,"b',
    '3, "c"',
    '4,d,e',
    '5',
    '6,"f"g',
    '7,"h ""quoted"""',
    '8,i,',
    ...many,
    '9,"never closed',
    '22010,z',
  ]
  await writeFile(join(pipes.files, 'quotes.csv'), lines.join('\n'))
  const loaded = await pipes.pipe({ url: 'quotes.csv', format: 'CSVWithNames' })
  await eventually(loaded.get).toMatchObject({
    state: 'Completed',
    stateDetail: '1 file loaded. 5 bad records, see their table',
  })
  expect(await pipes.rowsOf(loaded, 'count() AS rows, uniqExact(id) AS ids')).toEqual([{ rows: '12005', ids: '12005' }])
  expect(
    await pipes.engine.query(`SELECT id, text FROM ${loaded.table} WHERE id < 10 OR id > 22009 ORDER BY id`),
  ).toEqual([
    { id: '1', text: 'a' },
    { id: '3', text: 'c' },
    { id: '7', text: 'h "quoted"' },
    { id: '8', text: 'i' },
    { id: '22010', text: 'z' },
  ])
  const bad = await pipes.engine.query(`SELECT offset, reason FROM ${loaded.table}_datapipes_error ORDER BY offset`)
  const quote = 'a quote is not closed, or something follows it'
  expect(bad).toEqual([
    { offset: '2', reason: quote },
    { offset: '4', reason: 'it has 3 cells instead of 2' },
    { offset: '5', reason: 'it has 1 cell instead of 2' },
    { offset: '6', reason: quote },
    { offset: '12009', reason: quote },
  ])
})
