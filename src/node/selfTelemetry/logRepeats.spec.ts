import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test } from 'vitest'
import { leaveOutRepeats } from './logRepeats.ts'

function openLog() {
  const clock = { now: 0 }
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const logger = pino({ hooks: { logMethod: leaveOutRepeats(() => clock.now) }, base: null }, stream)
  return { logger, lines, clock }
}

const diskFull = () => new Error(`ENOSPC: no space left, wrote ${Math.random()} bytes`)

test('five of the same errors are written a minute, and the next one says how many were left out', () => {
  const { logger, lines, clock } = openLog()
  for (let times = 0; times < 100; times++) logger.error({ err: diskFull(), signal: 'logs' }, 'Not stored')
  expect(lines).toHaveLength(5)
  expect(lines.filter((line) => 'leftOut' in line)).toEqual([])
  clock.now += 60_000
  logger.error({ err: diskFull(), signal: 'logs' }, 'Not stored')
  expect(lines).toHaveLength(6)
  expect(lines.at(-1)).toMatchObject({ msg: 'Not stored', signal: 'logs', leftOut: 95 })
  clock.now += 60_000
  logger.error({ err: diskFull(), signal: 'logs' }, 'Not stored')
  expect(lines.at(-1)).not.toHaveProperty('leftOut')
})

test('errors that differ in text, cause or fields are each written', () => {
  const { logger, lines } = openLog()
  for (let times = 0; times < 10; times++) {
    logger.error({ err: diskFull(), signal: 'logs' }, 'Not stored')
    logger.error({ err: diskFull(), signal: 'traces' }, 'Not stored')
    logger.error({ err: new Error('Timeout'), signal: 'logs' }, 'Not stored')
    logger.warn({ signal: 'logs' }, 'Not stored')
    logger.warn('Not stored')
  }
  expect(lines).toHaveLength(25)
})

test('a logger of a request counts with the others, and what is no warning is always written', () => {
  const { logger, lines } = openLog()
  for (let times = 0; times < 10; times++) {
    const request = logger.child({ reqId: times })
    request.error({ route: '/alerts' }, 'Failed')
    request.info({ route: '/alerts' }, 'Done')
  }
  expect(lines.filter(({ msg }) => msg === 'Failed').map(({ reqId }) => reqId)).toEqual([0, 1, 2, 3, 4])
  expect(lines.filter(({ msg }) => msg === 'Done')).toHaveLength(10)
})

test('what JSON cannot have is written too', () => {
  const { logger, lines } = openLog()
  const circular: Record<string, unknown> = { size: 1n }
  circular['self'] = circular
  for (let times = 0; times < 10; times++) logger.warn(circular, 'Circular')
  expect(lines.map(({ msg }) => msg)).toEqual(Array.from({ length: 5 }, () => 'Circular'))
})

test('counts of endless different messages do not fill memory', () => {
  const { logger, lines } = openLog()
  const word = (number: number) => number.toString().replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
  for (let number = 0; number < 1001; number++) logger.error(word(number))
  for (let times = 0; times < 10; times++) logger.error(word(1000))
  for (let times = 0; times < 10; times++) logger.error(word(0))
  // The first message was forgotten, and is counted anew.
  expect(lines.filter(({ msg }) => msg === word(1000))).toHaveLength(5)
  expect(lines.filter(({ msg }) => msg === word(0))).toHaveLength(6)
})
