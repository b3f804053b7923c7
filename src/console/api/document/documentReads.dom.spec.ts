import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { announceDocumentReads, documentRead, dropDocumentReads } from './documentReads.ts'

const path = '/api/c/a/stack/alerts'
let readyState: DocumentReadyState = 'loading'

beforeEach(() => {
  readyState = 'loading'
  vi.spyOn(document, 'readyState', 'get').mockImplementation(() => readyState)
  vi.spyOn(performance, 'now').mockReturnValue(500)
  const reads = document.createElement('meta')
  reads.name = 'page-reads'
  reads.content = JSON.stringify([path])
  document.head.append(reads)
  onTestFinished(() => reads.remove())
  document.body.innerHTML = '<div id="root"></div>'
  announceDocumentReads()
})
afterEach(() => {
  dropDocumentReads()
})

function block(json: string, status = 200): HTMLScriptElement {
  const script = document.createElement('script')
  script.type = 'application/json'
  script.dataset.read = path
  script.dataset.status = String(status)
  script.dataset.headers = '[["x-budget-remaining","7"]]'
  script.textContent = json
  return script
}

describe('a response in the document', () => {
  it('is used once', async () => {
    document.body.append(block('{"result":[]}', 404), '\n')
    const response = await documentRead(path)
    expect(response).toMatchObject({ status: 404, ok: false })
    expect(response?.headers.get('x-budget-remaining')).toBe('7')
    expect(await response?.text()).toBe('{"result":[]}')
    expect(await documentRead(path)).toBeNull()
    expect(document.querySelector('script')).toBeNull()
  })

  it('is waited for, and for all of its text', async () => {
    const response = documentRead(path)
    const script = block('{"result":')
    document.body.append(script)
    await vi.waitFor(() => expect(document.querySelector('script')).not.toBeNull(), { timeout: 30_000 })
    script.textContent = '{"result":1}'
    document.body.append('\n')
    expect(await (await response)?.text()).toBe('{"result":1}')
  })

  it('is not waited for once the document is complete', async () => {
    const response = documentRead(path)
    readyState = 'interactive'
    document.dispatchEvent(new Event('readystatechange'))
    expect(await response).toBeNull()
  })

  it('is not used for other paths, after a change, or when it is old', async () => {
    document.body.append(block('{}'), '\n')
    expect(await documentRead('/api/c/b/stack/alerts')).toBeNull()
    vi.mocked(performance.now).mockReturnValue(60_000)
    expect(await documentRead(path)).toBeNull()
    announceDocumentReads()
    dropDocumentReads()
    vi.mocked(performance.now).mockReturnValue(500)
    expect(await documentRead(path)).toBeNull()
  })

  it('is given up with the request for it', async () => {
    const leave = new AbortController()
    const response = documentRead(path, leave.signal)
    leave.abort(new Error('left'))
    await expect(response).rejects.toThrow('left')
  })
})
