/** The commands and their options. */
import { parseArgs } from 'node:util'
import { CliError } from './problems.ts'

const commands = ['export', 'diff', 'plan', 'apply', 'drift', 'history', 'restore', 'terraform', 'mcp'] as const
type Command = (typeof commands)[number]

export interface CommandLine {
  command: Command
  /** The folder of the files. */
  dir: string
  json: boolean
  yes: boolean
  prune: boolean
  withSecrets: boolean
  /** The file that `plan` writes the plan to. */
  out: string | undefined
  /** The file of `apply`, or the ID for `restore`. */
  argument: string | undefined
}

/** @returns the command line, or the help that was asked for. @throws CliError that says what is wrong */
export function readCommandLine(args: readonly string[]): CommandLine | { help: string } {
  const { values, positionals } = parsed(args)
  const asksForHelp = values.help === true || positionals[0] === 'help'
  const [name, argument, ...more] = positionals[0] === 'help' ? positionals.slice(1) : positionals
  if (name === undefined) return { help }
  const command = commands.find((candidate) => candidate === name)
  if (asksForHelp && command) return { help: helpOf(command) }
  if (asksForHelp && isConsoleCommand(name)) return { help: helpOfConsoleCommand(name) }
  if (!command) throw new CliError(unknownCommand(name))
  const takesArgument = command === 'apply' || command === 'restore'
  if (more.length > 0 || (argument !== undefined && !takesArgument)) {
    throw new CliError(
      `${command} takes ${takesArgument ? 'one argument' : 'no arguments'}. See stack-console ${command} --help.`,
    )
  }
  return {
    command,
    argument,
    dir: values.dir ?? 'stack',
    json: values.json === true,
    yes: values.yes === true,
    prune: values.prune === true,
    withSecrets: values['with-secrets'] === true,
    out: values.out,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        dir: { type: 'string' },
        out: { type: 'string' },
        json: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        prune: { type: 'boolean' },
        'with-secrets': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : 'The command line cannot be read.')
  }
}

const descriptions: Record<Command, string> = {
  export: 'writes a file for each record of the deployment (--with-secrets: URLs and keys of webhooks too)',
  diff: 'shows what differs between the files and the deployment, both ways',
  plan: 'shows what apply would do (--out FILE: writes the plan; --prune: with deletions)',
  apply: 'changes the deployment to match the files, or carries out the plan in FILE',
  drift: 'like diff, for scripts: exits with 2 if something differs',
  history: 'lists what was applied from this folder',
  restore: 'takes back the last apply, or the one with ID',
  terraform: 'prints the records as configuration of the vendor’s Terraform provider, with import blocks',
  mcp: 'connects the agent that starts this command to the MCP server of a console',
}

/** Commands that `src/commandLine.js` starts as programs of their own. */
const consoleCommands = {
  start: 'runs the console and its stack',
  backup: 'writes a backup into FOLDER, while the console is running or not',
  'restore-backup': 'restores the backup in FOLDER into an empty DATA_DIR',
  'make-admin': 'prints a link that opens the console as administrator, once',
  'make-admin-key': 'makes a new Admin API key for the stack of this machine',
  'move-database': 'moves the records of the console and its stack to PostgreSQL',
  'rotate-key': 'encrypts the stored keys with new ones',
  'sample-remove': 'removes the sample telemetry',
  'telemetry-indexes': 'shows the indexes of the telemetry, and stops or continues their building',
  'verify-audit': 'checks the audit log, or the export in FILE',
}

const isConsoleCommand = (name: string): name is keyof typeof consoleCommands => Object.hasOwn(consoleCommands, name)

function unknownCommand(name: string): string {
  const all = [...commands, ...Object.keys(consoleCommands), 'help']
  return `Unknown command ${JSON.stringify(name)}. The commands are ${all.join(', ')}.`
}

const help = `Usage: stack-console COMMAND [--dir DIR] [--json]

Records of a deployment as files
${lines(descriptions)}

On the machine of a console, with its environment
${lines(consoleCommands)}

stack-console help COMMAND prints the help of one command.

Options
  --dir DIR       the folder of the files (default: stack)
  --json          prints JSON
  --yes, -y       does not ask before it writes (apply, restore)
  --prune         deletes records that have no file (plan, apply)
  --out FILE      writes the plan to FILE (plan)
  --with-secrets  writes the URLs and keys of webhooks too (export)

The environment names the deployment: STACK_URL and STACK_API_KEY for the open-source
variant; STACK_URL, STACK_ORGANIZATION_ID, STACK_SERVICE_ID, STACK_KEY_ID and
STACK_KEY_SECRET for the managed one. STACK_NAMING=clickhouse for deployments with
those names.

With STACK_CONSOLE_URL, STACK_CONSOLE_TOKEN and STACK_CONSOLE_CONNECTION, plan and apply
go through a console, where a connection with two-person approval makes a change request of them.

Exit codes: 0 done, 1 failed, 2 something differs (drift), 3 waits for approval (apply).
`

function lines(described: Record<string, string>): string {
  return Object.entries(described)
    .map(([command, description]) => `  ${command.padEnd(18)}${description}`)
    .join('\n')
}

const consoleArguments: Partial<Record<keyof typeof consoleCommands, string>> = {
  backup: ' FOLDER [--with-keys] [--without-telemetry]',
  'restore-backup': ' FOLDER [--replace] [--keys FOLDER]',
  'telemetry-indexes': ' [stop | continue]',
  'verify-audit': ' [FILE]',
}

function helpOfConsoleCommand(command: keyof typeof consoleCommands): string {
  const usage = consoleArguments[command] ?? ''
  return `Usage: stack-console ${command}${usage}\n\n${consoleCommands[command]}\n\nIts settings are variables of the environment: see docs/CONFIGURATION.md.\n`
}

function helpOf(command: Command): string {
  const usage = { apply: ' [FILE]', restore: ' [ID]' }[command as string] ?? ''
  if (command === 'mcp') return helpOfMcp
  return `Usage: stack-console ${command}${usage} [--dir DIR] [--json]\n\n${descriptions[command]}\n`
}

const helpOfMcp = `Usage: stack-console mcp

${descriptions.mcp}

An agent such as a coding assistant starts this command, and speaks with it over its input
and output by the Model Context Protocol. It passes everything on to the console: what the
token may do, and who approves changes, is decided there. See docs/AGENTS.md.

Environment
  STACK_CONSOLE_URL    the address of the console, such as http://127.0.0.1:8080
  STACK_CONSOLE_TOKEN  a personal token, from My account in the console
`
