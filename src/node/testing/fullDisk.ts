/** A disk that gets full, for tests. */
import { spawnSync } from 'node:child_process'

/** Mounts a file system of so many KiB on a folder. @returns what unmounts it; null where this user may mount none */
export function mountSmall(folder: string, kibibytes: number): (() => void) | null {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder])
  return status === 0 ? () => void spawnSync('umount', ['-l', folder]) : null
}

/** Bytes that this process may write into a file from now on: beyond, writes are refused as on a full disk. */
export function limitFileSize(bytes: number | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
  if (status !== 0) throw new Error(String(stderr))
}
