/** A pipe whose table takes no rows says at which line it stops, and goes on once the table takes them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPipeFiles, type PipeFiles } from '../../testing/pipeFiles.ts'

let pipes: PipeFiles
beforeAll(async () => {
  pipes = await startPipeFiles()
})
afterAll(() => pipes.close())

test('says at which line it makes no progress, and is not shown as running', { timeout: 180_000 }, async () => {
  const loaded = await pipes.pipe(
    { url: 'stuck-*.jsonl', isContinuous: true },
    { settings: { object_storage_polling_interval_ms: 100 } },
  )
  await expect.poll(loaded.get).toMatchObject({ stateDetail: 'all files loaded, waiting for new ones' })
  await pipes.engine.command(`ALTER TABLE ${loaded.table} ADD CONSTRAINT none CHECK 0`)
  await writeFile(join(pipes.files, 'stuck-1.jsonl'), '{"id":1,"text":"a"}\n{"id":2,"text":"b"}\n')
  await expect.poll(loaded.get, { timeout: 60_000, interval: 50 }).toMatchObject({ state: 'Degraded' })
  const seen = new Set<string>()
  await expect
    .poll(
      async () => {
        const pipe = await loaded.get()
        seen.add(pipe.state)
        return pipe.stateDetail
      },
      { timeout: 120_000, interval: 50 },
    )
    .toMatch(/No progress at line 0 \(counted from 0\) of .*stuck-1\.jsonl in 5 tries/)
  expect([...seen]).toEqual(['Degraded'])
  await pipes.engine.command(`ALTER TABLE ${loaded.table} DROP CONSTRAINT none`)
  await expect
    .poll(loaded.get, { timeout: 60_000 })
    .toMatchObject({ state: 'Running', stateDetail: 'all files loaded, waiting for new ones' })
  expect(await pipes.rowsOf(loaded, 'sum(id) AS ids')).toEqual([{ ids: '3' }])
})
