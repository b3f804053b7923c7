/**
 * People write records through consoles and stacks that are killed and restarted meanwhile. Afterwards each write that was
 * acknowledged must be there once, in the deployment and in the history, and no other one more than once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Change, ChangePage } from '#contract/console/history.ts'
import { consoleHeader } from '#contract/wire/gatewayWire.ts'

/** The parts of consoles and stacks that the people use. */
export interface Site {
  /** Where people open the console. */
  consoleUrl: string
  /** The connection to the stacks. */
  connectionId: string
  /** A current sign-in link of any console. */
  signInUrl(): string
  /** The records that are written, in turn. Default: dashboards without tiles. */
  kinds?: readonly WrittenKind[]
}

/** A kind of records with its path, and the body of a record with a name. */
export interface WrittenKind {
  path: string
  body(name: string): object
}

export interface WriteOptions {
  writes: number
  /** Awaited before each write, with its number. The others go on. */
  before?: (write: number) => Promise<void>
  /** Milliseconds that people wait after a write that nobody answered. Default: 0 */
  pauseMs?: number
}

export interface WriteTally {
  acknowledged: number
  /** Writes without an answer, or with one that leaves it open. */
  open: number
  faults: string[]
}

interface Person {
  name: string
  cookie: string
  records: Owned[]
}

/** A record that only one person writes. */
interface Owned {
  kind: WrittenKind
  id: string
  /** The name of the last acknowledged write, and those that may have been stored since. */
  names: string[]
}

interface Write {
  name: string
  person: string
  isAcknowledged: boolean
}

interface Answer {
  status: number
  // Tests look at whatever came.
  json: any // oxlint-disable-line typescript/no-explicit-any
}

const names = ['Ada', 'Grace', 'Edsger', 'Barbara']
const password = 'Correct-horse-7-battery'
const dashboards: WrittenKind = { path: 'dashboards', body: (name) => ({ name, tags: [], tiles: [] }) }

export class BalancedWrites {
  readonly #faults: string[] = []
  readonly #writes: Write[] = []
  /** Names of creations without an answer. */
  readonly #maybe = new Set<string>()
  #people: Person[] = []
  /** Each write gives its record a name of its own. */
  #named = 0
  #existing = new Set<string>()

  readonly #kinds: readonly WrittenKind[]
  readonly #site: Site

  constructor(site: Site) {
    this.#site = site
    this.#kinds = site.kinds ?? [dashboards]
  }

  /** Adds the people, who sign in. */
  async signIn(): Promise<void> {
    const administrator = await this.#enter({ token: this.#site.signInUrl().split('#token=')[1] })
    this.#people = await Promise.all(
      names.map(async (name) => {
        const person = { name, email: `${name}@example.com`, role: 'editor' }
        const { json } = await this.#call(administrator, 'POST', '/api/people', person)
        const cookie = await this.#enter({ invitation: String(json.link).split('#invitation=')[1], password })
        return { name, cookie, records: [] }
      }),
    )
    for (const { id } of await this.#list()) this.#existing.add(id)
    // Earlier entries are no changes.
    await this.#call(administrator, 'POST', `/api/connections/${this.#site.connectionId}/history/snapshot`)
  }

  async write({ writes, before, pauseMs = 0 }: WriteOptions): Promise<WriteTally> {
    let count = 0
    await Promise.all(
      this.#people.map(async (person) => {
        while (count < writes) {
          const number = ++count
          await before?.(number)
          const isAcknowledged = await this.#writeOne(person, `Record ${++this.#named}`, number % 3 === 0)
          if (!isAcknowledged) await sleep(pauseMs)
        }
      }),
    )
    const acknowledged = this.#writes.filter(({ isAcknowledged }) => isAcknowledged).length
    return { acknowledged, open: this.#writes.length - acknowledged, faults: this.#faults }
  }

  /** Compares with what is stored. */
  async check(): Promise<string[]> {
    for (const person of this.#people) {
      const { json } = await this.#call(person.cookie, 'GET', '/api/session')
      if (json?.signedIn !== true) this.#faults.push(`${person.name} is not signed in any more`)
    }
    await this.#checkRecords()
    await this.#checkHistory()
    return this.#faults
  }

  async #checkRecords(): Promise<void> {
    const stored = new Map((await this.#list()).map(({ id, name }) => [id, name]))
    for (const id of this.#existing) stored.delete(id)
    for (const { id, names: expected } of this.#people.flatMap(({ records }) => records)) {
      const name = stored.get(id)
      if (name === undefined) this.#faults.push(`${expected[0]} was acknowledged, and is not there`)
      else if (!expected.includes(name)) this.#faults.push(`${name} should be ${expected.join(' or ')}`)
      stored.delete(id)
    }
    for (const name of stored.values()) {
      if (!this.#maybe.delete(name)) this.#faults.push(`${name} is there twice, or nobody wrote it`)
    }
  }

  async #checkHistory(): Promise<void> {
    const done = new Map<string, Change[]>()
    let open = this.#writes.filter(({ isAcknowledged }) => !isAcknowledged).length
    for (const change of await this.#changes()) {
      const { name, outcome, cause } = change
      if (cause !== 'console') this.#faults.push(`the history says that ${name} was written outside`)
      if (outcome === 'pending') this.#faults.push(`the outcome of ${name} is still open in the history`)
      // Under the name that the record kept.
      else if (outcome !== 'done') open--
      else done.set(name, [...(done.get(name) ?? []), change])
    }
    if (open < 0) this.#faults.push(`the history has ${-open} more failed writes than there were`)
    for (const { name, person, isAcknowledged } of this.#writes) {
      const own = done.get(name) ?? []
      if (own.length > 1) this.#faults.push(`${name} is in the history ${own.length} times`)
      const [entry] = own
      if (!entry) {
        if (isAcknowledged) this.#faults.push(`${name} is not in the history`)
      } else if (!entry.actor?.includes(person)) this.#faults.push(`${name} of ${person} is one of ${entry.actor}`)
    }
  }

  /** All changes, once the outcome of each is known or no longer looked for. */
  async #changes(): Promise<Change[]> {
    for (let attempt = 0; attempt < 100; attempt++) {
      if ((await this.#page('outcome=pending')).items.length === 0) break
      await sleep(200)
    }
    const all: Change[] = []
    for (let before = ''; ;) {
      const { items, hasMore } = await this.#page(`limit=500${before}`)
      all.push(...items)
      if (!hasMore) return all
      before = `&before=${items.at(-1)?.id}`
    }
  }

  async #page(query: string): Promise<ChangePage> {
    const { connectionId } = this.#site
    const { status, json } = await this.#any('GET', `/api/connections/${connectionId}/history?${query}`)
    if (status !== 200) throw new Error(JSON.stringify(json))
    return json.result ?? json
  }

  /** The records of all kinds. */
  async #list(): Promise<{ id: string; name: string }[]> {
    const lists = await Promise.all(
      this.#kinds.map(async ({ path }) => {
        const { status, json } = await this.#any('GET', `/api/c/${this.#site.connectionId}/stack/${path}`)
        if (status !== 200) throw new Error(JSON.stringify(json))
        return json.result
      }),
    )
    return lists.flat()
  }

  async #writeOne(person: Person, name: string, isUpdate: boolean): Promise<boolean> {
    const owned = isUpdate ? person.records[this.#writes.length % (person.records.length || 1)] : undefined
    const kind = owned?.kind ?? this.#kinds[this.#writes.length % this.#kinds.length] ?? dashboards
    const path = `/api/c/${this.#site.connectionId}/stack/${kind.path}`
    const { status, json } = owned
      ? await this.#call(person.cookie, 'PUT', `${path}/${owned.id}`, kind.body(name))
      : await this.#call(person.cookie, 'POST', path, kind.body(name))
    const isAcknowledged = status === 200
    this.#writes.push({ name, person: person.name, isAcknowledged })
    if (status === 401) this.#faults.push(`${person.name} was signed out`)
    if (owned) owned.names = isAcknowledged ? [name] : [...owned.names, name]
    else if (isAcknowledged) person.records.push({ kind, id: json.result.id, names: [name] })
    else this.#maybe.add(name)
    return isAcknowledged
  }

  #any(method: string, path: string): Promise<Answer> {
    return this.#call(this.#people[0]?.cookie ?? '', method, path)
  }

  async #enter(proof: unknown): Promise<string> {
    const response = await fetch(`${this.#site.consoleUrl}/api/session`, {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify(proof),
    })
    if (!response.ok) throw new Error(await response.text())
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    return cookies.join('; ')
  }

  /** Status 0 for no answer. */
  async #call(cookie: string, method: string, path: string, body?: unknown): Promise<Answer> {
    try {
      const response = await fetch(this.#site.consoleUrl + path, {
        method,
        headers: { ...this.#headers, cookie },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null }
    } catch {
      return { status: 0, json: null }
    }
  }

  get #headers() {
    return { [consoleHeader]: '1', origin: this.#site.consoleUrl, 'content-type': 'application/json' }
  }
}
