import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { hostileProgram } from '../testing/hostileProgram.ts'
import { program } from '../testing/program.ts'
import { WorkerProcess } from './workerProcess.ts'

const worker = new WorkerProcess<string, { answer: unknown }>(hostileProgram)
afterEach(() => worker.end())

const ask = (task: string, deadline = 60_000) =>
  worker.ask(task, { deadline, take: (message) => ({ answered: message.answer }) })

function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid), '-f', 'hostileWorker'], { encoding: 'utf8' })
  return stdout.split('\n').filter(Boolean).map(Number)
}

describe('worker process', () => {
  test('answers task after task in one process', async () => {
    expect(await ask('first')).toEqual({ result: { answered: 'first' } })
    const before = childrenOf(process.pid)
    expect(await ask('second')).toEqual({ result: { answered: 'second' } })
    expect(childrenOf(process.pid)).toEqual(before)
  })

  test.each([
    ['objects', 'memory'],
    ['texts', 'memory'],
    ['buffers', 'memory'],
    ['exit', 'ended'],
    ['throw', 'ended'],
  ])('ends alone at %s, and the next task gets another', async (task, fault) => {
    expect(await ask(task)).toEqual({ fault })
    expect(await ask('again')).toEqual({ result: { answered: 'again' } })
  })

  test('is ended when a task takes too long', async () => {
    await ask('ready')
    expect(await ask('loop', 100)).toEqual({ fault: 'late' })
    expect(childrenOf(process.pid)).toEqual([])
  })

  test('is not late while it gets no processor time', async () => {
    await ask('ready')
    const waiting = ask('wait', 250)
    const [child = 0] = childrenOf(process.pid)
    process.kill(child, 'SIGSTOP')
    await sleep(500)
    process.kill(child, 'SIGCONT')
    expect(await waiting).toEqual({ result: { answered: 'wait' } })
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'finishes its task after %s, which stops the server',
    async (signal) => {
      await ask('ready')
      const waiting = ask('wait')
      for (const child of childrenOf(process.pid)) process.kill(child, signal)
      expect(await waiting).toEqual({ result: { answered: 'wait' } })
    },
  )

  test('has none of the environment, which may hold secrets', async () => {
    expect(await ask('environment')).toEqual({ result: { answered: {} } })
  })

  test('ends when it has no task for a while', async () => {
    const idle = new WorkerProcess<string, { answer: unknown }>({ ...hostileProgram, idleTime: 1 })
    await idle.ask('task', { deadline: 60_000, take: () => true })
    await expect.poll(() => childrenOf(process.pid)).toEqual([])
  })

  test('ends with its parent, also while its program loops', async () => {
    const { file, execArgv } = program(new URL('../testing/workerParent.ts', import.meta.url).pathname)
    const parent = fork(file, [], { execArgv })
    await once(parent, 'message')
    await expect.poll(() => childrenOf(parent.pid ?? 0)).toHaveLength(1)
    const [child = 0] = childrenOf(parent.pid ?? 0)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    // A process that has ended is gone, or a zombie if nobody waits for it.
    await expect.poll(() => spawnSync('ps', ['-o', 'stat=', '-p', String(child)]).stdout.toString()).toMatch(/^$|^Z/)
  })
})
