#!/usr/bin/env node
import { runCommand } from './cli/run.ts'
import { ownTerminal } from './cli/terminal.ts'

process.exitCode = await runCommand(process.argv.slice(2), ownTerminal())
