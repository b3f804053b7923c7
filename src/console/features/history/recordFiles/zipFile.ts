/** Files of records in the browser. */
import { fileStem } from '#domain/text/fileStem.ts'
import type { RecordZip } from '#console/api/gateway/recordFiles.ts'
import { maxZipBytes } from '#contract/console/recordFiles.ts'
import { formatIsoDay } from '#console/ui/time/formatTime.ts'
import { formatShort } from '#domain/charts/units.ts'

/** `production-2026-05-31.zip` */
export function zipName(connection: string, time: Date): string {
  const plain = fileStem(connection, 80) || 'connection'
  return `${plain.toLowerCase()}-${formatIsoDay(time.getTime())}.zip`
}

/** Why a file cannot be imported, before it is sent; undefined if it may be. */
export function zipProblem({ name, size }: File): string | undefined {
  if (size === 0) return `${name} is empty.`
  if (size > maxZipBytes) return `${name} is larger than ${formatShort(maxZipBytes, 'bytes')}.`
  return /\.zip$/i.test(name) ? undefined : `${name} is not a zip file. Zip the folder of the files first.`
}

export async function readZip(file: File): Promise<RecordZip> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(new Error(`${file.name} cannot be read.`)))
    reader.readAsDataURL(file)
  })
  return { key: crypto.randomUUID(), name: file.name, content: url.slice(url.indexOf(',') + 1) }
}
