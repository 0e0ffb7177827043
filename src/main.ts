#!/usr/bin/env node
import { runCommand } from './cli/run.ts'
import { ownTerminal } from './cli/terminal.ts'

// Without a listener, Node would open a debugger, which lets anybody on the machine run code.
process.on('SIGUSR1', () => {})
process.exitCode = await runCommand(process.argv.slice(2), ownTerminal())
