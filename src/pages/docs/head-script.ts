import { SAMPLE_LANGUAGE_NAMES } from '../../lib/code-samples.ts'

/**
 * Runs before the first paint, so that the page neither flashes in the other theme nor jumps to
 * another language of the samples. An address with `code=` takes precedence over the stored choice.
 */
export const HEAD_SCRIPT = `{const d=document.documentElement.dataset;d.script='';try{const t=localStorage.getItem('theme');if(t)d.theme=t;const c=localStorage.getItem('code');if(!location.search.includes('code=')&&${JSON.stringify(SAMPLE_LANGUAGE_NAMES)}.includes(c))d.code=c}catch{}}`
