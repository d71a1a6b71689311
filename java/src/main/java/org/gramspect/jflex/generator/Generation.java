package org.gramspect.jflex.generator;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import jflex.core.OptionUtils;
import jflex.generator.LexGenerator;
import jflex.logging.Out;
import jflex.option.Options;
import jflex.skeleton.Skeleton;

/**
 * One run of JFlex. It keeps everything in static fields, so this class is loaded together with JFlex.
 *
 * <p>The value is the file with the scanner.
 */
public final class Generation implements Callable<String> {
    private final File specification;
    private final Charset encoding;
    private final Path folder;
    private final String skeleton;
    private final OutputStream messages;

    /**
     * @param encoding that of the specification
     * @param folder where the scanner is written
     * @param skeleton what all scanners have in common
     * @param messages what JFlex prints
     */
    public Generation(File specification, Charset encoding, Path folder, String skeleton,
            OutputStream messages) {
        this.specification = specification;
        this.encoding = encoding;
        this.folder = folder;
        this.skeleton = skeleton;
        this.messages = messages;
    }

    @Override
    public String call() throws IOException {
        OptionUtils.setDefaultOptions();
        Out.setOutputStream(messages);
        Options.verbose = false;
        Options.progress = false;
        Options.no_backup = true;
        Options.encoding = encoding;
        Options.directory = folder.toFile();
        Path file = folder.resolve("skeleton");
        Files.writeString(file, skeleton);
        Skeleton.readSkelFile(file.toFile());
        return new LexGenerator(specification).generate();
    }
}
