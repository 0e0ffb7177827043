import { Icon } from '../../shared/components.tsx'
import { t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { switchTheme, theme } from '../../shared/theme.ts'
import { initialData } from '../initial-data.ts'
import { changeView } from '../view/current-view.ts'
import { LayerSwitch, LivePill, MainMenu } from './controls.tsx'
import { PlaceSearch } from './place-search.tsx'
import { openShareDialog } from './share/share.tsx'

export function Header({ wide }: { wide: boolean }) {
  const dark = useStore(theme) === 'dark'
  const showHome = (event: MouseEvent) => {
    event.preventDefault()
    changeView({ incident: null, camera: null })
  }
  return (
    <header class="bar">
      <a class="name" href="/" onClick={showHome}>
        {t('page.site_name')}
      </a>
      <LivePill />
      {wide && initialData.demo && (
        <span class="pill synthetic" title={t('map.synthetic_title')}>
          {t('map.synthetic')}
        </span>
      )}
      <span class="grow" />
      {wide && <PlaceSearch />}
      {wide && <LayerSwitch />}
      <button type="button" class="icon-button" onClick={openShareDialog} title={t('map.share_title')}>
        <Icon name="share" />
        <span class="hidden">{t('map.share')}</span>
      </button>
      <button type="button" class="icon-button" onClick={switchTheme}>
        <Icon name={dark ? 'sun' : 'moon'} />
        <span class="hidden">{t(dark ? 'map.light_theme' : 'map.dark_theme')}</span>
      </button>
      {wide && (
        <a class="bar-link" href="/console">
          {t('page.for_developers')}
        </a>
      )}
      <MainMenu />
    </header>
  )
}
