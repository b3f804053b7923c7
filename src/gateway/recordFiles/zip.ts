/** Reads and writes zips. A zip comes from outside: nothing is inflated beyond what its limits allow. */
import { crc32 } from 'node:zlib'
import { Inflate, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { failure, type ApiFailure } from '#node/upstream/apiFailure.ts'
import { formatShort } from '#domain/charts/units.ts'

interface ZipLimits {
  entries: number
  /** Inflated bytes of one file. */
  fileBytes: number
  /** Inflated bytes of all files. */
  totalBytes: number
}

export interface ZipEntry {
  /** With slashes. Folders end with one. */
  path: string
  /** Inflates the file. @throws ApiFailure if it is damaged, or too large */
  read(): Uint8Array
}

/** Compressed bytes that are inflated at once: at most a thousand times as many come out before the limit is checked. */
const step = 1024

const signatures = { end: 0x06054b50, central: 0x02014b50, local: 0x04034b50 } as const
const endLength = 22
const centralLength = 46
const localLength = 30
/** The longest comment that may follow the end of a zip. */
const maxComment = 65_535

const invalid = (message: string): ApiFailure => failure('invalid', message)
const damaged = () => invalid('The zip is incomplete or damaged. Export it, or copy it, again.')

/** The files of a zip, from its directory. Nothing is inflated yet. @throws ApiFailure if it is no zip that can be read */
export function zipEntries(zip: Uint8Array, limits: ZipLimits): ZipEntry[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  try {
    return directoryOf(zip, view, limits)
  } catch (error) {
    // An offset beyond the end.
    throw error instanceof RangeError ? damaged() : error
  }
}

function directoryOf(zip: Uint8Array, view: DataView, limits: ZipLimits): ZipEntry[] {
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  if (count > limits.entries) throw invalid(`The zip has more than ${limits.entries} files.`)
  let at = view.getUint32(end + 16, true)
  const left = { bytes: limits.totalBytes }
  return Array.from({ length: count }, () => {
    if (view.getUint32(at, true) !== signatures.central) throw damaged()
    const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true))
    const nameAt = at + centralLength
    if (nameAt + (name ?? 0) > zip.length) throw damaged()
    const path = new TextDecoder().decode(zip.subarray(nameAt, nameAt + (name ?? 0))).replaceAll('\\', '/')
    const header = at
    at = nameAt + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
    return { path, read: () => readEntry(zip, view, header, path, limits, left) }
  })
}

/** Where the end of the directory is. */
function endOf(view: DataView): number {
  const last = view.byteLength - endLength
  for (let at = last; at >= Math.max(0, last - maxComment); at--) {
    if (view.getUint32(at, true) === signatures.end) return at
  }
  const isCut = view.byteLength >= 4 && view.getUint32(0, true) === signatures.local
  throw isCut ? damaged() : invalid('The file is no zip. Choose one that “Export records” or a zip program made.')
}

function readEntry(
  zip: Uint8Array,
  view: DataView,
  header: number,
  path: string,
  limits: ZipLimits,
  left: { bytes: number },
): Uint8Array {
  const [flags, method] = [view.getUint16(header + 8, true), view.getUint16(header + 10, true)]
  const [sum, packed, size, local] = [16, 20, 24, 42].map((offset) => view.getUint32(header + offset, true))
  if (sum === undefined || packed === undefined || size === undefined || local === undefined) throw damaged()
  if ((flags & 1) !== 0) throw invalid(`${path} is encrypted. Zip the files without a password.`)
  if (size > limits.fileBytes)
    throw invalid(`${path} is larger than ${formatShort(limits.fileBytes, 'bytes')} when it is inflated.`)
  left.bytes -= size
  if (left.bytes < 0)
    throw invalid(`The zip has more than ${formatShort(limits.totalBytes, 'bytes')} when it is inflated.`)
  if (local + localLength > zip.length || view.getUint32(local, true) !== signatures.local) throw damaged()
  const start = local + localLength + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const bytes = zip.subarray(start, start + packed)
  if (bytes.length !== packed) throw damaged()
  const content = method === 0 ? bytes : method === 8 ? inflated(bytes, size, path) : null
  if (!content) throw invalid(`${path} is compressed in a way that is not supported. Zip the files with Deflate.`)
  if (content.length !== size || crc32(content) !== sum) throw isDamaged(path)
  return content
}

const isDamaged = (path: string) => invalid(`${path} is damaged in the zip. Export it, or copy it, again.`)

/** Inflates piece by piece, and stops as soon as there is more than the directory says. */
function inflated(bytes: Uint8Array, size: number, path: string): Uint8Array {
  const content = new Uint8Array(size)
  let length = 0
  const inflate = new Inflate((piece) => {
    if (length + piece.length > size) throw invalid(`${path} is larger than the zip says. It was not read further.`)
    content.set(piece, length)
    length += piece.length
  })
  try {
    for (let at = 0; at < bytes.length; at += step) {
      inflate.push(bytes.subarray(at, at + step), at + step >= bytes.length)
    }
  } catch (error) {
    throw error instanceof Error && error.name === 'ApiFailure' ? error : isDamaged(path)
  }
  return content.subarray(0, length)
}

/** Writes a zip, one file at a step. A path that ends with a slash is a folder. */
export function* writeZip(files: Iterable<{ path: string; text: string }>, time: Date): Generator<void, Uint8Array> {
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  const encoder = new TextEncoder()
  for (const { path, text } of files) {
    const file = path.endsWith('/') ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 })
    file.mtime = time
    zip.add(file)
    file.push(encoder.encode(text), true)
    yield
  }
  zip.end()
  return Buffer.concat(pieces)
}
