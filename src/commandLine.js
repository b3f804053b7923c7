#!/usr/bin/env node
// @ts-check
/** The program `stack-console`: runs the console or a command from a bundle of the present sources. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleServers, consolePrograms } from './server/bundle.js'

const root = resolve(import.meta.dirname, '..')
const folder = await bundleServers(root, (line) => process.stderr.write(`${line}\n`))
// The command line knows the help of all commands.
const asksForHelp = process.argv.some((argument) => argument === '--help' || argument === '-h')
const program = asksForHelp ? undefined : consolePrograms.get(process.argv[2] ?? '')
// The programs read their own arguments, as when npm runs them.
if (program) process.argv.splice(2, 1)
await import(pathToFileURL(join(folder, `${program ?? 'cli'}.js`)).href)
