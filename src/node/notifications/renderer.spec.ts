import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { NotificationInput } from '#domain/alerting/notification/notified.ts'
import { createRenderer, type Renderer } from './renderer.ts'

const input: NotificationInput = {
  alert: { id: 'a', threshold: 1, thresholdType: 'above', interval: '1m', source: 'tile', dashboardId: 'd' },
  event: { alertId: 'a', state: 'ALERT', groupKey: '', group: null, value: 2, start: 0, end: 60_000 },
  watched: { name: 'Errors', dashboard: 'Shop' },
  samples: [],
  consoleUrl: 'http://console',
  eventId: 'e',
  service: 'generic',
}
const message = (message: string) => ({ ...input, alert: { ...input.alert, message } })

/** Takes many times the deadline within the limits of its blocks. */
const slow = `${'{{#each @root}}'.repeat(4)}${'{{x}}'.repeat(20_000)}${'{{/each}}'.repeat(4)}`

describe('renderer', () => {
  let renderer: Renderer
  beforeAll(() => {
    renderer = createRenderer()
  })
  afterAll(() => renderer.close())
  afterEach(() => void vi.useRealTimers())

  test('renders one after another', async () => {
    const results = await Promise.all(['a', 'b', 'c'].map((text) => renderer.render(message(text))))
    expect(results.map(({ message }) => message.at(-1))).toEqual(['a', 'b', 'c'])
  })

  test('sends an alert whose message takes too long, with the reason', async () => {
    const beats: number[] = []
    const heart = setInterval(() => beats.push(1), 10)
    const [first, second] = await Promise.all([renderer.render(message(slow)), renderer.render(message('still works'))])
    clearInterval(heart)
    expect(first.problems).toEqual(['A template takes too long or too much memory: at most 2 s.'])
    expect(first.message).toContain('A template takes too long')
    expect(JSON.parse(first.payload ?? '').text).toContain('2 meets or exceeds 1')
    expect(second.message).toMatch(/still works$/)
    // The process goes on while the template runs.
    expect(beats.length).toBeGreaterThan(5)
    // Not tried again.
    expect((await renderer.render(message(slow))).problems).toHaveLength(1)
  })

  test('tries a template again a minute later, also if the clock was set back since', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const loops = ['@root.attributes', '@root', '@root', '@root', '@root'].map((over) => `{{#each ${over}}}`).join('')
    // With 99 attributes it takes more than three times the deadline, without any less than a third of it.
    const text = `${loops}${'{{x}}'.repeat(1000)}${'{{/each}}'.repeat(5)}`
    const own = createRenderer({ deadline: 1000 })
    const problemsWith = async (group: Record<string, string>) =>
      (await own.render({ ...message(text), event: { ...input.event, group } })).problems
    const tooLong = [expect.stringContaining('takes too long')]
    expect(await problemsWith(Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`host${at}`, 'a'])))).toEqual(
      tooLong,
    )
    expect(await problemsWith({})).toEqual(tooLong)
    vi.setSystemTime(Date.now() - 6 * 3_600_000)
    vi.advanceTimersByTime(60_000)
    expect(await problemsWith({})).toEqual([])
    await own.close()
  })

  test('refuses what would wait too long', async () => {
    const busy = createRenderer({ maxWaiting: 2 })
    const results = await Promise.allSettled([1, 2, 3].map(() => busy.render(input)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(await busy.render(input)).toMatchObject({ problems: [] })
    await busy.close()
  })

  test.each([
    ['takes too long', slow],
    ['produces too much', `${'{{#each @root}}'.repeat(3)}${'{{@root.body}}'.repeat(500)}${'{{/each}}'.repeat(3)}`],
  ])('has no body if its template %s', async (_, body) => {
    const { payload, problems, title } = await renderer.render({ ...message('m'.repeat(4096)), body })
    expect(title).toContain('Errors')
    expect(payload).toBeNull()
    expect(problems[0]).toMatch(/A template takes too long|its blocks produce more than/)
  })
})
