/** The content of a backup: a folder with these files, and a manifest that lists them with their checksums. */
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { consoleFile, stackFile } from '../database/databaseFiles.ts'
import { StartError } from '../serverSettings.ts'

export const manifestFile = 'manifest.json'
export const engineFolder = 'engine'
export const keyFolder = 'keys'
export const keyFiles = ['console.key', 'stack.key'] as const

/** The one format so far. */
const format = 1

const records = z.object({
  /** Where they were. In the backup they are always a file of SQLite. */
  database: z.enum(['file', 'postgresql']),
  /** How many migrations they have had. */
  migrations: z.number().int().min(1),
  /** The source of the key that encrypts their secrets: a key file, or a passphrase of the environment. */
  key: z.enum(['file', 'secret']),
})
export type RecordsEntry = z.infer<typeof records>

const telemetry = z.object({
  databases: z.array(z.string().min(1)),
  rows: z.number().int().min(0),
})

const manifestSchema = z.object({
  product: z.literal('stack-console'),
  format: z.literal(format),
  /** The version of the product. */
  version: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  console: records.nullable(),
  stack: records.nullable(),
  telemetry: telemetry.nullable(),
  /** Why there is no telemetry. */
  telemetryLeftOut: z.string().nullable(),
  /** The key files that it contains. */
  keys: z.array(z.enum(keyFiles)),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int().min(0), sha256: z.string() })),
})
export type Manifest = z.infer<typeof manifestSchema>
export type ManifestFile = Manifest['files'][number]

/** A manifest for the present format. */
export function newManifest(content: Omit<Manifest, 'product' | 'format'>): Manifest {
  return { product: 'stack-console', format, ...content }
}

/** @throws StartError if the folder is no complete backup, or one of a later format */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const problem =
      cause.code === 'ENOENT' ? 'has no manifest.json: it is no backup, or an unfinished one' : cause.message
    throw new StartError(`${folder} ${problem}.`, { cause })
  })
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw new StartError(`The manifest of ${folder} is damaged: it is not JSON.`, { cause })
  }
  const later = z
    .object({
      format: z
        .number()
        .int()
        .min(format + 1),
    })
    .safeParse(content)
  if (later.success) throw new StartError(`${folder} was written by a newer version. Use that version.`)
  const { data, error } = manifestSchema.safeParse(content)
  if (data) return data
  throw new StartError(`The manifest of ${folder} is damaged (${z.prettifyError(error).split('\n')[0]}).`)
}

/**
 * Compares a backup with its manifest: every file is there as it was written, and nothing else.
 * @throws StartError that names the first file that differs
 */
export async function verifyFiles(
  folder: string,
  { files }: Manifest,
  onProgress: (bytes: number, total: number) => void,
): Promise<void> {
  const damaged = (path: string, problem: string) => new StartError(`The backup is damaged: ${path} ${problem}.`)
  const present = new Set(await filesBelow(folder))
  for (const { path } of files) {
    if (!isExpected(path)) throw damaged(JSON.stringify(path), 'is no file of a backup')
    if (!present.delete(path)) throw damaged(path, 'is missing')
  }
  present.delete(manifestFile)
  const [extra] = present
  if (extra !== undefined) throw damaged(extra, 'is not in its manifest')
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let read = 0
  for (const { path, bytes, sha256 } of files) {
    const found = await lstat(join(folder, path))
    if (found.size !== bytes) throw damaged(path, `has ${found.size} bytes instead of ${bytes}`)
    if ((await digestOf(join(folder, path))) !== sha256) throw damaged(path, 'is not as it was written')
    onProgress((read += bytes), total)
  }
}

/** Paths below a folder, with `/`. @throws StartError for anything but files and folders, such as a link to elsewhere */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (entry.isDirectory()) return []
    if (entry.isFile()) return [path]
    throw new StartError(`The backup is damaged: ${path} is no ordinary file.`)
  })
}

const fixedFiles: readonly string[] = [consoleFile, stackFile, ...keyFiles.map((name) => `${keyFolder}/${name}`)]

function isExpected(path: string): boolean {
  if (fixedFiles.includes(path)) return true
  const [first, ...rest] = path.split('/')
  return first === engineFolder && rest.length > 0 && rest.every((part) => !['', '.', '..'].includes(part))
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
