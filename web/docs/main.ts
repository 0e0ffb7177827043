import { switchTheme } from '../shared/theme.ts'
import { startCodeChoice } from './code-choice.ts'
import { startRunning } from './run.ts'
import { startSearch } from './search.ts'

document.querySelector('.theme')?.addEventListener('click', switchTheme)
startCodeChoice()
startSearch(document.querySelector<HTMLElement>('.search')!)
for (const sample of document.querySelectorAll<HTMLElement>('.sample[data-run]')) startRunning(sample)
