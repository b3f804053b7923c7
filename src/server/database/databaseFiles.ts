/** The files of records in a data directory, and their way to and from PostgreSQL servers. */
import { join } from 'node:path'
import { copyFromServer, copyRecords, type CopiedRecords } from '#node/database/copyRecords.ts'
import { openDatabase, readServer as readConsoleServer } from '#gateway/database/database.ts'
import { openRecords, openUnmarked, readServer as readStackServer } from '#stack/store/store.ts'

export const consoleFile = 'console.db'
export const stackFile = 'stack.db'

/** Files of running processes. Printed sign-in links end with their console. */
const ofConsole = { leftOut: ['consoles'], only: { sign_in_links: 'console IS NULL' } }
const ofStack = { leftOut: ['leases', 'stacks', 'task_leases'] }

/** Copies `console.db` in a folder to a server that has no records yet. @throws CopyRefused, UnusableState */
export async function consoleToServer(folder: string, url: string): Promise<CopiedRecords> {
  const file = await openDatabase(folder)
  const server = await openDatabase(folder, url, { isTarget: true })
  try {
    return await server.transact((transaction) => copyRecords(file, transaction, ofConsole))
  } finally {
    await file.close()
    await server.close()
  }
}

/** Copies `stack.db` in a folder to a server that has no records yet. @throws CopyRefused, StoreError */
export async function stackToServer(folder: string, url: string): Promise<CopiedRecords> {
  const file = await openRecords({ file: join(folder, stackFile) })
  const server = await openUnmarked({ url, dataDir: folder })
  try {
    return await server.transact((transaction) => copyRecords(file, transaction, ofStack))
  } finally {
    await file.close()
    await server.close()
  }
}

/** Writes the console's records of a server into `console.db` in a folder. Consoles may be running. */
export async function consoleFromServer(url: string, folder: string): Promise<CopiedRecords> {
  const file = await openDatabase(folder, undefined, { isTarget: true })
  try {
    return await readConsoleServer(url, (server) =>
      file.transact((transaction) => copyFromServer(server, transaction, ofConsole)),
    )
  } finally {
    await file.close()
  }
}

/** Writes the stack's records of a server into `stack.db` in a folder. Stacks may be running. */
export async function stackFromServer(url: string, folder: string): Promise<CopiedRecords> {
  const file = await openUnmarked({ file: join(folder, stackFile) })
  try {
    return await readStackServer(url, (server) =>
      file.transact((transaction) => copyFromServer(server, transaction, ofStack)),
    )
  } finally {
    await file.close()
  }
}
