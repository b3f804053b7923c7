import { afterAll, describe, expect, it } from 'vitest'
import { connection } from '#contract/console/connections.ts'
import { answerJson, secrets, seedsTo, startTestGateway, startUpstream } from '../testing/testGateway.ts'

const upstream = await startUpstream()
const oddName = `<script>"'&</script>__CSP_NONCE__`
const [first, ...others] = seedsTo(upstream.url)
if (!first) throw new Error('the kit has connections')
const gateway = await startTestGateway(upstream, { seeds: [{ ...first, name: oddName }, ...others] })
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const page = async (cookie?: string, path = '/c/oss/alerts') => {
  const answer = await fetch(gateway.address + path, { headers: cookie === undefined ? {} : { cookie } })
  return answer.text()
}
const stateOf = (text: string) => /name="first-state" content="([^"]*)"/.exec(text)?.[1]
const entities: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&lt;': '<', '&gt;': '>' }
const decoded = (text = '') => text.replace(/&\w+;/g, (entity) => entities[entity] ?? entity)

describe('data embedded in the page', () => {
  it('includes session and connections for a signed-in user', async () => {
    const text = await page(gateway.cookie)
    expect(text).not.toContain(oddName)
    const state = JSON.parse(decoded(stateOf(text))) as { session: unknown; connections: unknown[] }
    expect(state.session).toEqual({ signedIn: true, passwordOffered: true, build: 'test' })
    expect(state.connections).toEqual((await gateway.call('GET', '/api/connections')).json)
    expect(connection.array().parse(state.connections)[0]?.name).toBe(oddName)
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
  })

  it('is empty for anyone else', async () => {
    expect(stateOf(await page())).toBe('')
    expect(stateOf(await page('stack_console_0=guessed'))).toBe('')
  })

  it.each([
    ['/c/oss/alerts', '/assets/page-4f2a.js'],
    ['/c/other/alerts/?q=a', '/assets/page-4f2a.js'],
    ['/c/oss/anything', '/assets/any-1.js'],
    ['/c/oss/alerts/1', undefined],
    ['/sign-in', undefined],
  ])('preloads the chunks of %s and of the frame', async (path, href) => {
    const links = [...(await page(undefined, path)).matchAll(/<link rel="modulepreload" crossorigin href="([^"]*)">/g)]
    expect(links.map((link) => link[1])).toEqual(href === undefined ? [] : [href])
  })

  it('does not serve the list of chunks', async () => {
    expect((await fetch(`${gateway.address}/.pages.json`)).status).toBe(404)
  })
})

it('is compressed where the browser takes it', async () => {
  const answer = await fetch(`${gateway.address}/c/oss/alerts`, { headers: { 'accept-encoding': 'br, gzip' } })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(await answer.text()).toMatch(/^<!doctype html>.*<\/html>$/s)
  const plain = await fetch(`${gateway.address}/c/oss/alerts`, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(plain.headers.get('vary')).toBe('accept-encoding')
})

describe('outline of the page', () => {
  it('is that of the URL, with its connection', async () => {
    const text = await page(gateway.cookie)
    const outline = /<div id="root">(.*)<\/div><\/body>/s.exec(text)?.[1] ?? ''
    expect(outline).toContain('<div class="outline" data-width="wide" inert aria-hidden="true"><header><button>')
    expect(outline).toContain('href="/c/oss/alerts"')
    expect(decoded(/<button>(.*?) local<\/button>/s.exec(outline)?.[1])).toBe(oddName)
    expect(outline).not.toContain('<script')
    expect(decoded(/<title>(.*?)<\/title>/s.exec(text)?.[1])).toBe(`Alerts · ${oddName} · Console`)
    const [, nonce] =
      /<style nonce="([^"]+)" data-outline>:root\{--a:1\}\.sc-bar\{color:var\(--stage-local\)\}</.exec(text) ?? []
    expect(text).toContain(`name="csp-nonce" content="${nonce}"`)
  })

  it('is that of the sign-in for anyone else', async () => {
    const text = await page()
    expect(text).toContain('<h1>Sign in</h1>')
    expect(text).toContain('<title>Console</title>')
  })

  it('is left out where it is not known', async () => {
    expect(await page(gateway.cookie, '/c/unknown/alerts')).toContain('<div id="root"></div>')
    expect(await page(gateway.cookie, '/c/managed/alerts')).toContain('<div id="root"></div>')
    const other = await fetch(`${gateway.address}/c/oss/alerts`, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(await other.text()).toContain('<div id="root"></div>')
  })
})

describe('place for the notice of sample data', () => {
  const opened = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const stateAt = async (path: string, status: object | null) => {
    upstream.become(status ? answerJson({ data: status }) : (_, response) => void response.writeHead(404).end('{}'))
    await gateway.call('GET', '/api/c/oss/stack/sample')
    upstream.become(answerJson({ data: [] }))
    const headers = { cookie: gateway.cookie, ...opened }
    const text = await (await fetch(gateway.address + path, { headers })).text()
    return { kept: text.includes(' data-sample '), state: JSON.parse(decoded(stateOf(text))) as { samples: string[] } }
  }

  it('is kept where the last response said that there is some', async () => {
    const { kept, state } = await stateAt('/c/oss/alerts', { state: 'ready', progress: 1, records: 5 })
    expect(kept).toBe(true)
    expect(state.samples).toEqual(['oss'])
  })

  it('is not kept where there is none, or no such endpoint', async () => {
    for (const status of [{ state: 'absent', progress: 0, records: 0 }, null]) {
      expect(await stateAt('/c/oss/alerts', status)).toMatchObject({ kept: false, state: { samples: [] } })
    }
  })
})
