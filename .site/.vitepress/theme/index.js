import theme from 'vitepress/theme';
import Playground from './Playground.vue';
import './style.css';

export default { extends: theme, enhanceApp: ({ app }) => app.component('Playground', Playground) };
