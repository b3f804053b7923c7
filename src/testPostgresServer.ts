/**
 * One PostgreSQL server for all specs, whichever project they belong to. It starts when the first of them asks for a
 * database (`testPostgres.ts`), so that a run of specs that need none does not wait for it.
 */
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openServer } from '#gateway/database/database.ts'
import { makeTemplate, startPostgres, type PostgresProcess } from '#node/testing/postgresProcess.ts'
import { brokerVariable, type Offer } from '#node/testing/testPostgres.ts'

/** Enough for the pools of all workers. No spec depends on vacuuming. */
const settings = ['max_connections=400', 'autovacuum=off']

export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  // Each project calls this; the first one serves all.
  if (process.env[brokerVariable] !== undefined) return undefined
  const specs = new SpecServer()
  const broker = createServer((request, response) => {
    specs.give(request.url?.slice(1) ?? '').then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((listening) => broker.listen(0, '127.0.0.1', listening))
  const { port } = broker.address() as AddressInfo // it listens on a port
  process.env[brokerVariable] = `http://127.0.0.1:${port}/`
  return async () => {
    delete process.env[brokerVariable]
    broker.closeAllConnections()
    broker.close()
    await specs.stop()
  }
}

/** Starts what is needed once. */
class SpecServer {
  readonly #folders: string[] = []
  #template: Promise<string> | undefined
  #server: Promise<PostgresProcess> | undefined
  #consoleTemplate: Promise<string> | undefined
  #databases = 0

  readonly #offers: Record<Offer, () => Promise<string>> = {
    database: () => this.#create('template0'),
    console: async () => this.#create(await (this.#consoleTemplate ??= this.#createConsole())),
    template: () => (this.#template ??= this.#newFolder().then(makeTemplate)),
  }

  /** @returns the URL of a new database, or the path of the data folder to start a server from */
  async give(offer: string): Promise<string> {
    if (!Object.hasOwn(this.#offers, offer)) throw new Error(`There is no ${offer} for specs.`)
    return this.#offers[offer as Offer]() // it is one of them
  }

  async stop(): Promise<void> {
    await (await this.#server)?.stop()
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true })
  }

  async #newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'specs-postgres-'))
    this.#folders.push(folder)
    return folder
  }

  #start(): Promise<PostgresProcess> {
    this.#server ??= Promise.all([this.#newFolder(), this.#offers.template()]).then(([folder, template]) =>
      startPostgres(folder, { settings, template }),
    )
    return this.#server
  }

  async #create(template: string): Promise<string> {
    const server = await this.#start()
    const name = `spec_${++this.#databases}`
    await server.sql(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
    return server.url(name)
  }

  /** The tables of a console, made once. @returns the name of their database */
  async #createConsole(): Promise<string> {
    const url = new URL(await this.#create('template0'))
    await (await openServer(url.href)).close()
    const name = url.pathname.slice(1)
    await this.#sessionsEnd(name)
    return name
  }

  /**
   * A session ends some time after its connection. While a database has one it cannot be copied: the server waits for five
   * seconds, which is too short on a busy machine.
   */
  async #sessionsEnd(database: string): Promise<void> {
    const server = await this.#start()
    const sessions = `SELECT pid FROM pg_stat_activity WHERE datname = '${database}'`
    while ((await server.sql(sessions)).length > 0) await sleep(50)
  }
}
