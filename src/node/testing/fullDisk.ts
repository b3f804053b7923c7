/** Full disks for tests. */
import { spawnSync } from 'node:child_process'

/** Mounts a small file system on a folder. @returns a function that unmounts it; null if this user may not mount */
export function mountSmall(folder: string, kibibytes: number): (() => void) | null {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder])
  return status === 0 ? () => void spawnSync('umount', ['-l', folder]) : null
}

/** Limits the bytes that this process may write into a file. Beyond, writes fail as on a full disk. */
export function limitFileSize(bytes: number | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
  if (status !== 0) throw new Error(String(stderr))
}
