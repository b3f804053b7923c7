import { afterEach, expect, test } from 'vitest'
import { ApiFailure } from '#console/api/failure.ts'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { dismissJob, retryable, retryJob, startJob, stopJob, watchJob } from './jobs.ts'
import { jobs, formatProgress } from './jobStore.ts'

const connection = sampleConnection({ name: 'Shop EU', baseUrl: 'https://one.example', stage: 'production' })
const failureOf = (code: ApiFailure['code']) => new ApiFailure({ code, message: code, status: 0 })
const rows = ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() }))

afterEach(() => {
  for (const { id } of jobs.state) dismissJob(id)
})

/** A job whose tasks end when the test ends them. */
function slowJob() {
  const waiting: { id: string; done: () => void; fail: (error: Error) => void }[] = []
  const ends: { done: string[]; watched: boolean }[] = []
  const id = startJob({
    connection,
    title: 'Delete 3 dashboards',
    rows,
    task: (row) => new Promise<void>((done, fail) => void waiting.push({ id: row.id, done, fail })),
    onEnd: (done, watched) => ends.push({ done, watched }),
  })
  const next = async (error?: Error) => {
    const one = waiting.shift()
    if (error) one?.fail(error)
    else one?.done()
    await new Promise((turn) => setTimeout(turn))
    return one?.id
  }
  const job = () => jobs.state.find((candidate) => candidate.id === id)
  return { id, next, ends, job }
}

test('a job continues when its dialog is closed, and reports at its end', async () => {
  const { id, next, ends, job } = slowJob()
  const close = watchJob(id)
  await next()
  close()
  expect(job()).toMatchObject({ state: 'running' })
  await next()
  expect(job() && formatProgress(job()!)).toBe('2 of 3 done')
  await next()
  expect(ends).toEqual([{ done: ['a', 'b', 'c'], watched: false }])
  // Nothing is left to see.
  expect(job()).toBeUndefined()
})

test('a stopped job waits for the request in progress, and the rest can be retried', async () => {
  const { id, next, ends, job } = slowJob()
  stopJob(id)
  expect(job()).toMatchObject({ state: 'stopping' })
  await next()
  expect(job()).toMatchObject({ state: 'ended' })
  expect(formatProgress(job()!)).toBe('1 of 3 done, 2 not done')
  retryJob(id)
  expect(await next()).toBe('b')
  expect(await next()).toBe('c')
  expect(ends.map(({ done }) => done)).toEqual([['a'], ['b', 'c']])
})

test('failures stay visible until they are dismissed', async () => {
  const { id, next, job } = slowJob()
  await next()
  await next(new Error('refused'))
  await next()
  expect(job()?.outcomes.get('b')).toMatchObject({ state: 'failed', failure: { message: 'refused' } })
  dismissJob(id)
  expect(job()).toBeUndefined()
})

test('a write that may have been carried out, or waits for approval, is not sent again', async () => {
  const { id, next, ends, job } = slowJob()
  await next(failureOf('outcomeUnknown'))
  await next(failureOf('sentForApproval'))
  await next(failureOf('invalid'))
  expect(retryable(job()!).map((row) => row.id)).toEqual(['c'])
  retryJob(id)
  expect(await next()).toBe('c')
  expect(ends.at(-1)?.done).toEqual(['c'])
  expect(job()).toMatchObject({ state: 'ended' })
  expect(formatProgress(job()!)).toBe('1 of 3 done, 2 not done')
})

test('a running job cannot be dismissed, and warns before the page is closed', async () => {
  const { id, next, job } = slowJob()
  dismissJob(id)
  expect(job()).toBeDefined()
  const leave = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(leave()).toBe(true)
  await next()
  await next()
  await next()
  expect(leave()).toBe(false)
})
