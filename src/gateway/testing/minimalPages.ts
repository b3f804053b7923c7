import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The least that a gateway serves as its pages: for tests of everything else. @returns their folder, inside of `folder` */
export function minimalPages(folder: string): string {
  const distDir = join(folder, 'dist')
  mkdirSync(distDir, { recursive: true })
  writeFileSync(join(distDir, 'index.html'), '<!doctype html><head></head>')
  writeFileSync(join(distDir, '.pages.json'), '{}')
  return distDir
}
