/** The system's data about the processes of a product and its files. Linux only. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { residentBytes } from './stackProcess.ts'

export interface ObservedProcesses {
  /** Resident bytes. */
  resident: number
  descriptors: number
  threads: number
  pids: readonly number[]
}

interface ProcessEntry {
  pid: number
  parent: number
  command: string
}

/**
 * The processes of a product, by their part: the console is the root, the stack runs the collector and the engine, and workers
 * render templates and read zips.
 */
export function observeProduct(root: number): Record<'console' | 'stack' | 'workers', ObservedProcesses> {
  const all = processes()
  const ofProduct = new Set([root])
  // A parent has been started before its children, but may have a higher number.
  for (let before = 0; before !== ofProduct.size;) {
    before = ofProduct.size
    for (const { pid, parent } of all) if (ofProduct.has(parent)) ofProduct.add(pid)
  }
  const children = all.filter(({ pid }) => ofProduct.has(pid) && pid !== root)
  const isStack = ({ command }: ProcessEntry) => command.includes('stack.js')
  return {
    console: sumOf([root]),
    stack: sumOf(children.filter(isStack).map(({ pid }) => pid)),
    workers: sumOf(children.filter((child) => !isStack(child)).map(({ pid }) => pid)),
  }
}

function processes(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return [{ pid: Number(name), parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]), command }]
    } catch {
      // It has ended.
      return []
    }
  })
}

function sumOf(pids: readonly number[]): ObservedProcesses {
  const sum: ObservedProcesses = { resident: 0, descriptors: 0, threads: 0, pids }
  for (const pid of pids) {
    sum.resident += residentBytes(pid)
    sum.descriptors += entriesIn(`/proc/${pid}/fd`)
    sum.threads += entriesIn(`/proc/${pid}/task`)
  }
  return sum
}

function entriesIn(folder: string): number {
  try {
    return readdirSync(folder).length
  } catch {
    return 0
  }
}

/** Bytes of a file, or of all files of a folder; 0 where there is none. */
export function bytesIn(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found?.size ?? 0
  // A merge removes files meanwhile.
  return entriesOf(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0)
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
