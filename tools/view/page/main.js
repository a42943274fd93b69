// SPDX-License-Identifier: MIT
// main.js: the page begins.

async function start() {
    const [scene, other] = await Promise.all(['scene', 'scene-b'].map((name) => {
        const element = find(name);
        return element ? loadScene(element) : null;
    }));
    if (!scene.acts.rows)
        throw new Error('this scenario started no adapter: there is nothing to draw');
    const app = new App(scene, other);
    fillHead(app);
    listen(app);
    listenToKeys(app);
    openLink(app);
    window.vidmm = { totals: scene.about.totals, app };
    document.documentElement.dataset.ready = '';
}

start().catch((error) => {
    find('failed').hidden = false;
    find('failed').textContent = `This page cannot be shown: ${error.message}`;
});
